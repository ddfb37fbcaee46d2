// The nonce the server put into the page; every style tag made at run time must carry it.

export function readCspNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? "";
}

/** The scroll lock behind dialogs asks for its nonce under this old global name. */
export function shareCspNonce(nonce: string): void {
  Object.assign(globalThis, { __webpack_nonce__: nonce });
}
