// Signing in: better-auth on our own tables (accounts' database role), with the few verbs the rest of the server needs.
// Its HTTP handler is not mounted: every way in is a route of ours with a policy (routes/session-routes.ts and account-routes.ts).

import { createHash } from "node:crypto";
import { apiKey } from "@better-auth/api-key";
import { betterAuth } from "better-auth";
import { magicLink } from "better-auth/plugins/magic-link";
import type { Database } from "../db/database.ts";
import { apiKeyLimits, type Scope } from "../domain/identity/identity.ts";
import { passwordLimits } from "../domain/identity/password.ts";
import { AppError } from "../lib/app-error.ts";
import type { Env } from "../lib/env.ts";
import { revokeUnproven } from "../store/identity/unproven-access.ts";
import { createBootstrapToken } from "./bootstrap-token.ts";
import { createKnownDevices } from "./known-devices.ts";

export type AuthOptions = {
  readonly db: Pick<Database, "authDb" | "asAuth">;
  /** Signs cookies; the same in every process of an installation. */
  readonly secret: string;
  /** Where people reach us, e.g. `http://127.0.0.1:4180`. */
  readonly origin: string;
  readonly env: Pick<Env, "newId" | "now">;
};

const daySeconds = 24 * 60 * 60;
/** How long a printed login link works: long enough to walk to the browser, short enough to forget in a log. */
export const loginLinkMinutes = 15;

const times = { createdAt: "created_at", updatedAt: "updated_at" };

const apiKeyFields = {
  configId: "config_id",
  referenceId: "reference_id",
  refillInterval: "refill_interval",
  refillAmount: "refill_amount",
  lastRefillAt: "last_refill_at",
  rateLimitEnabled: "rate_limit_enabled",
  rateLimitTimeWindow: "rate_limit_time_window",
  rateLimitMax: "rate_limit_max",
  requestCount: "request_count",
  lastRequest: "last_request",
  expiresAt: "expires_at",
  ...times,
};

const accountFields = {
  accountId: "account_id",
  providerId: "provider_id",
  userId: "user_id",
  accessToken: "access_token",
  refreshToken: "refresh_token",
  idToken: "id_token",
  accessTokenExpiresAt: "access_token_expires_at",
  refreshTokenExpiresAt: "refresh_token_expires_at",
  ...times,
};

/** Hands the token of a link from the plugin's callback to the caller that asked for it. */
type Tickets = Map<string, string>;

function configure({ db, secret, origin, env }: AuthOptions, tickets: Tickets) {
  return betterAuth({
    appName: "Homework",
    secret,
    baseURL: origin,
    basePath: "/api/auth",
    database: { db: db.authDb, type: "postgres" },
    telemetry: { enabled: false },
    rateLimit: { enabled: false }, // Ours covers every route (rate-limit.ts).
    logger: { disabled: true },
    // How long a password may be is said by the route or command; the library counts a character outside of the basic plane twice.
    emailAndPassword: { enabled: true, minPasswordLength: 1, maxPasswordLength: 2 * passwordLimits.max },
    user: {
      modelName: "auth_users",
      fields: { emailVerified: "email_verified", ...times },
      additionalFields: {
        role: { type: "string", input: false, defaultValue: "user", required: false },
        disabledAt: { type: "date", fieldName: "disabled_at", input: false, required: false },
      },
    },
    session: {
      modelName: "auth_sessions",
      fields: {
        userId: "user_id",
        expiresAt: "expires_at",
        ipAddress: "ip_address",
        userAgent: "user_agent",
        ...times,
      },
      expiresIn: 30 * daySeconds,
      updateAge: daySeconds,
    },
    account: { modelName: "auth_accounts", fields: accountFields },
    verification: { modelName: "auth_verifications", fields: { expiresAt: "expires_at", ...times } },
    advanced: {
      cookiePrefix: "homework",
      useSecureCookies: origin.startsWith("https:"),
      database: { generateId: () => env.newId() },
      ipAddress: { ipAddressHeaders: ["x-homework-address"] }, // Set by us from the socket, never taken from outside.
    },
    plugins: [
      apiKey({
        defaultPrefix: "hw_",
        rateLimit: { enabled: false },
        maximumNameLength: apiKeyLimits.name,
        keyExpiration: { maxExpiresIn: apiKeyLimits.days },
        schema: { apikey: { modelName: "auth_api_keys", fields: apiKeyFields } },
      }),
      magicLink({
        expiresIn: loginLinkMinutes * 60,
        disableSignUp: true,
        storeToken: { type: "custom-hasher", hash: async (token) => hashToken(token) },
        sendMagicLink: ({ token, metadata }) => {
          tickets.set(String(metadata?.ticket), token);
        },
      }),
    ],
  });
}

const hashToken = (token: string) => createHash("sha256").update(token).digest("hex");

export type Auth = ReturnType<typeof createAuth>;

export function createAuth(options: AuthOptions) {
  const tickets: Tickets = new Map();
  const auth = configure(options, tickets);

  /**
   * A link that signs this person in, once. An address that was never verified may have been signed up by a stranger: the
   * person who follows the link gets the account without the stranger's password, sessions and keys (`followLink`).
   */
  async function loginLink(email: string): Promise<string> {
    const ticket = options.env.newId();
    await auth.api.signInMagicLink({ body: { email, metadata: { ticket } }, headers: new Headers() });
    const token = tickets.get(ticket);
    tickets.delete(ticket);
    if (!token) throw new Error("bug: no token was made for the login link");
    return `${options.origin}/auth/once?token=${token}`;
  }

  /** A link that is still good proves that its holder has the address. */
  async function followLink(token: string, headers: Headers): Promise<Response> {
    const { internalAdapter } = await auth.$context;
    const asked = await internalAdapter.findVerificationValue(`magic-link:${hashToken(token)}`);
    if (asked && asked.expiresAt.getTime() > options.env.now())
      await revokeUnproven(options.db.authDb, emailOf(asked.value));
    return auth.api.magicLinkVerify({ query: { token }, headers, asResponse: true });
  }

  /** An account with a password, signed in. Of two with one address at once the database takes one; the other is told. */
  async function signUp(account: { name: string; email: string; password: string }, headers: Headers) {
    try {
      return await auth.api.signUpEmail({ body: account, headers, returnHeaders: true });
    } catch (thrown) {
      const { internalAdapter } = await auth.$context;
      if (errorCodeOf(thrown) === "FAILED_TO_CREATE_USER" && (await internalAdapter.findUserByEmail(account.email)))
        throw alreadyExists(thrown);
      throw thrown;
    }
  }

  /** An API key for this person; the only time it is seen. */
  async function createKey(
    userId: string,
    key: { name: string; scopes: readonly Scope[]; expiresInDays: number | null },
  ) {
    return auth.api.createApiKey({
      body: {
        userId,
        name: key.name,
        permissions: { homework: [...key.scopes] },
        ...(key.expiresInDays === null ? {} : { expiresIn: key.expiresInDays * daySeconds }),
      },
    });
  }

  return {
    api: auth.api,
    bootstrapToken: createBootstrapToken(options.secret),
    context: auth.$context,
    origin: options.origin,
    /** The library answers "no" where the database is away; asked through this, it is an error. */
    asking: options.db.asAuth,
    signUp,
    loginLink,
    followLink,
    devices: createKnownDevices(options.secret, options.origin.startsWith("https:"), options.env),
    createKey,
  };
}

/** What the library keeps of a link. */
function emailOf(value: string): string {
  const kept: unknown = JSON.parse(value);
  return typeof kept === "object" && kept !== null && "email" in kept ? String(kept.email) : "";
}

/** What better-auth throws has a status and a code of its own; ours are told apart here. */
export function fromAuthError(thrown: unknown): unknown {
  const code = errorCodeOf(thrown);
  if (code === null) return thrown;
  if (code.startsWith("USER_ALREADY_EXISTS")) return alreadyExists(thrown);
  if (code === "CREDENTIAL_ACCOUNT_NOT_FOUND")
    return new AppError(
      "forbidden",
      "This account has no password yet, only links to sign in: leave out the current password to set one",
      { cause: thrown },
    );
  if (code === "PASSWORD_ALREADY_SET")
    return new AppError("wrong_credentials", "This account has a password: say the current one, too", {
      cause: thrown,
    });
  if (code === "INVALID_PASSWORD")
    return new AppError("wrong_credentials", "The current password is wrong", { cause: thrown });
  if (code === "INVALID_EMAIL_OR_PASSWORD")
    return new AppError("wrong_credentials", "E-mail or password is wrong", { cause: thrown });
  return thrown;
}

export const alreadyExists = (cause?: unknown) =>
  new AppError("already_exists", "Someone with that e-mail address already has an account", { cause });

function errorCodeOf(thrown: unknown): string | null {
  if (typeof thrown !== "object" || thrown === null || !("body" in thrown)) return null;
  const body: unknown = thrown.body;
  if (typeof body !== "object" || body === null || !("code" in body)) return null;
  return typeof body.code === "string" ? body.code : null;
}
