// Whether single keys are shortcuts, remembered on this device. People who speak to their computer, or whose keys slip, switch
// them off (WCAG 2.1.4).

export const singleKeysKey = "homework.single-keys";

export function areSingleKeysOn(): boolean {
  try {
    return localStorage.getItem(singleKeysKey) !== "false";
  } catch {
    return true; // The browser keeps nothing.
  }
}
