// The browser tab's title: what the page shows, then the product.

import { useDocumentTitle } from "@mantine/hooks";
import { productName } from "../lib/page-set.ts";

export function usePageTitle(...parts: readonly (string | undefined)[]): void {
  useDocumentTitle([...parts.filter((part) => part !== undefined && part !== ""), productName].join(" · "));
}
