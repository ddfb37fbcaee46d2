// What an agent may not do to files without its user's word: touch credentials, delete many files, write outside of its folder. Pure:
// the changes come in, findings go out. What the user has allowed once is not asked about again.

import type { FileChange } from "./work.ts";

export const guardKinds = ["credentials", "mass_deletion", "outside"] as const;
export type GuardKind = (typeof guardKinds)[number];

export type GuardFinding = { readonly kind: GuardKind; readonly paths: readonly string[] };

/** A rename is no deletion; a tidy-up of so many files is still ordinary work. */
const deletedMax = 5;
/** Paths that a question names; the others are counted. */
const namedMax = 10;

const credentialNames: readonly RegExp[] = [
  /^\.env(?:\.(?!(?:example|sample|template|dist|defaults?)$)[^/]*)?$/i,
  /\.(?:pem|key|p12|pfx|jks|keystore|kdbx|ppk)$/i,
  /^id_(?:rsa|dsa|ecdsa|ed25519)(?:\.pub)?$/i,
  /^\.(?:npmrc|pypirc|netrc|git-credentials|htpasswd|pgpass|dockercfg)$/i,
  /^(?:credentials?|secrets?)(?:\.(?:json|ya?ml|toml|ini|txt|env))?$/i,
  /^service[-_]?account.*\.json$/i,
];
const credentialFolders = /(?:^|\/)\.(?:ssh|aws|gnupg|kube|azure)\//i;

export function isCredentialPath(path: string): boolean {
  const name = path.split("/").at(-1) ?? "";
  return credentialFolders.test(path) || credentialNames.some((pattern) => pattern.test(name));
}

/** How an allowed path is remembered. */
export const allowanceOf = (kind: GuardKind, path: string): string => `${kind}:${path}`;

/** `outside`: paths outside of the folder that it wrote, or that a link of it leads to. */
export function guardFiles(
  changes: readonly FileChange[],
  outside: readonly string[],
  allowed: readonly string[],
): readonly GuardFinding[] {
  const known = new Set(allowed);
  const open = (kind: GuardKind, paths: readonly string[]) =>
    [...new Set(paths)].filter((path) => !known.has(allowanceOf(kind, path))).toSorted();
  const secrets = open("credentials", changes.map(({ path }) => path).filter(isCredentialPath));
  const deleted = open(
    "mass_deletion",
    changes.filter(({ change }) => change === "deleted").map(({ path }) => path),
  );
  const beyond = open("outside", outside);
  return [
    ...(secrets.length > 0 ? [{ kind: "credentials" as const, paths: secrets }] : []),
    ...(deleted.length > deletedMax ? [{ kind: "mass_deletion" as const, paths: deleted }] : []),
    ...(beyond.length > 0 ? [{ kind: "outside" as const, paths: beyond }] : []),
  ];
}

const headings: Readonly<Record<GuardKind, (count: number) => string>> = {
  credentials: () => "It changed files that look like credentials",
  mass_deletion: (count) => `It deleted ${count} files`,
  outside: () => "It wrote outside of its work folder, which cannot be undone here",
};

/** For the run's user. */
export function describeFindings(findings: readonly GuardFinding[]): string {
  const told = findings.map(({ kind, paths }) => {
    const more = paths.length > namedMax ? `\n- and ${paths.length - namedMax} more` : "";
    return `${headings[kind](paths.length)}:\n${paths
      .slice(0, namedMax)
      .map((path) => `- ${path}`)
      .join("\n")}${more}`;
  });
  return `The agent was paused. ${told.join("\n\n")}\n\nAllow this, or undo it? (Anything but “allow” undoes it.)`;
}

/** Only clear words allow. */
export const allows = (answer: string): boolean =>
  /^["'“”‘’`\s]*(?:allow(?:ed| it| them| all)?|yes|ok(?:ay)?)["'“”‘’`.!\s]*$/i.test(answer);
