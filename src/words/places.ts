// Which places in the code hold words for people, and which never do, by name.

/** Attributes and properties whose text is shown, whatever it is. */
const shown = new Set(
  (
    "aria-label aria-description aria-roledescription aria-valuetext alt label title placeholder description heading text message words " +
    "noun why hint tooltip error note caption legend subtitle detail said one many singular plural empty confirm cancel purpose " +
    "question answer summary lead nothing nothingFound ariaLabel"
  ).split(" "),
);

/** Attributes and properties that hold names for the machine: nothing below them is read. */
const unread = new Set(
  (
    "className classNames style styles sx id key htmlFor href src srcSet d viewBox points transform fill stroke queryKey mutationKey " +
    "data-testid testId autoComplete rel target type variant color size method path to from params search hash pattern " +
    "gridTemplateColumns gridArea boxShadow font fontFamily dateStyle timeStyle month weekday"
  ).split(" "),
);

/** Functions whose arguments are compared, matched, looked up or meant for programmers. */
const unreadCalls = new Set(
  (
    "includes startsWith endsWith indexOf lastIndexOf split replace replaceAll match matchAll test has get delete addEventListener " +
    "removeEventListener querySelector querySelectorAll closest getAttribute localeCompare getItem setItem removeItem matchMedia assert " +
    "unreachable literal enum discriminatedUnion regex describe openapi debug trace lazyPage createContext setProperty " +
    "getPropertyValue slice brand"
  ).split(" "),
);
const unreadClasses = new Set([
  "Error",
  "TypeError",
  "RangeError",
  "RegExp",
  "URL",
  "Set",
  "Map",
  "Worker",
  "EventSource",
]);
const logs = /^(?:log|logger|console)$/;

/** Tables of colours and pictures: keys of the style sheet, whatever they look like. */
const styles = /(?:color|colour|icon|(?<!miles)tone|variant|className|style)s?(?:Of)?$|^(?:color|icon|tone)/i;

/** Elements that stand in the middle of a sentence. */
const inline = new Set(
  "a abbr b bdi cite code em i kbd mark q s small span strong sub sup time u Anchor Code Kbd Link Mark Time RouterLink TextLink".split(
    " ",
  ),
);

export const isShownName = (name: string): boolean =>
  shown.has(name) || /(?:Label|Text|Title|Words|Hint|Message|Placeholder|Description|Heading)$/.test(name);
/** `field: "text"` names a place for text; it is not one. */
export const isKeyOfText = (text: string): boolean =>
  ["text", "title", "label", "message", "description", "note", "error", "blue", "green", "gray", "red"].includes(text);
export const isUnreadName = (name: string): boolean => unread.has(name) || /^(?:data-|font)/.test(name);
/** Of a constant or a function. */
export const isStyleName = (name: string): boolean => styles.test(name);
export const isUnreadClass = (name: string): boolean => unreadClasses.has(name);
export const isInlineElement = (name: string): boolean => inline.has(name) || name.endsWith("Link");

/** `object` is what the function is called on, if that is a name. */
export const isUnreadCall = (name: string, object: string | null): boolean =>
  unreadCalls.has(name) || object === "path" || (object !== null && logs.test(object));

/** Files that hold nothing but words: here a single word in small letters is read, too. */
export const isWordFile = (file: string): boolean => /(?:^|[/-])(?:words|wording)\.tsx?$/.test(file);
