import { expect, test } from "vitest";
import { newSecret, signWebhook } from "./sign.ts";

// The vector of the specification's own libraries.
const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const id = "msg_p5jXN8AQM9LWM0D4loKWxJek";
const atMs = 1_614_265_330_000;
const body = '{"test": 2432232314}';
const signature = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";

test("a signature is the one that the specification's libraries make", () => {
  expect(signWebhook(id, atMs, body, [secret])).toEqual({
    "webhook-id": id,
    "webhook-timestamp": "1614265330",
    "webhook-signature": signature,
  });
});

test("while a secret is replaced, the newest signs first and the one before as well", () => {
  const newest = newSecret();
  const { "webhook-signature": both } = signWebhook(id, atMs, body, [newest, secret]);
  expect(both.split(" ")).toEqual([signWebhook(id, atMs, body, [newest])["webhook-signature"], signature]);
});

test("a secret has the specification's form and is never the same", () => {
  const [one, other] = [newSecret(), newSecret()];
  expect(one).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(one).not.toBe(other);
});
