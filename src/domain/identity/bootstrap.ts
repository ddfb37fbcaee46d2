// How the first admin of an installation with accounts is made: not at all once there is one who can sign in, else with the token
// that the server prints, or, where only this machine can reach the server, by the first sign-up.

export type Admin = {
  /** The one person of the time before accounts were turned on. */
  readonly isLocalOwner: boolean;
  readonly hasPassword: boolean;
};

/** `token`: signing up as admin needs the printed token. */
export type Bootstrap = "closed" | "open" | "token";

export function decideBootstrap(admins: readonly Admin[], isReachable: boolean): Bootstrap {
  if (admins.some(({ isLocalOwner, hasPassword }) => hasPassword || !isLocalOwner)) return "closed";
  // A local owner has runs and projects: being the first to sign up must not make a stranger their owner.
  return admins.length > 0 || isReachable ? "token" : "open";
}
