import { expect, test } from "vitest";
import { linkRemoteImages } from "./remote-images.ts";

test.each([
  ["See ![a map](https://evil.test/x.png).", "See [a map: https://evil.test/x.png](https://evil.test/x.png)."],
  ["![](https://evil.test/x.png)", "[https://evil.test/x.png](https://evil.test/x.png)"],
  ["![a [b] c](https://evil.test/x.png)", "[a [b] c](https://evil.test/x.png)"],
  ["![a](//evil.test/x.png)", "[a: //evil.test/x.png](//evil.test/x.png)"],

  ["![a][ref]\n\n[ref]: https://evil.test/x.png", "[a][ref]\n\n[ref]: https://evil.test/x.png"],
  ["![ref]\n\n[ref]: https://evil.test/x.png", "[ref]\n\n[ref]: https://evil.test/x.png"],
  ["![a](data:image/png;base64,AAAA)", "[a: data:image/png;base64,AAAA](data:image/png;base64,AAAA)"],
  ["![a](HTTPS://evil.test/x.png)", "[a: HTTPS://evil.test/x.png](HTTPS://evil.test/x.png)"],
  ['<img src="https://evil.test/x.png">', '\\<img src="https://evil.test/x.png">'],
  ["- a\n  ```\n![a](//evil.test/x)", "- a\n  ```\n[a: //evil.test/x](//evil.test/x)"],
  ["```\ncode\n```\n![a](//evil.test/x)", "```\ncode\n```\n[a: //evil.test/x](//evil.test/x)"],
  ["~~~\n```\n~~~\n<img src=x>", "~~~\n```\n~~~\n\\<img src=x>"],
  ["``` a`b\n<img src=x>", "``` a`b\n\\<img src=x>"],
  ["<picture><source srcset=x></picture>", "\\<picture>\\<source srcset=x>\\</picture>"],
])("%s becomes a link or plain text", (text, safe) => expect(linkRemoteImages(text)).toBe(safe));

test.each([
  ["![plan](pictures/plan.png)"],
  ["[a link](https://ok.test)"],
  ["<https://ok.test/a>"],
  ['```html\n<img src="https://x.test/a.png">\n![a](https://x.test/a.png)\n```'],
  ["2 < 3 and 4 > 3!"],
])("%s stays as it is", (text) => expect(linkRemoteImages(text)).toBe(text));
