// The limits that hold where accounts are on before an admin has set any.

import { expect, test } from "vitest";
import { testApp } from "../helpers/test-app.ts";

const shared = await testApp({ hasFirstQuota: true });

test("the first account of an installation sets limits for everyone, which an admin can lift", async () => {
  const [first, second] = [await shared.signUp("first"), await shared.signUp("second")];
  const quota = async () => (await shared.call("GET", "/api/me/quota", second.session)).body;
  expect(await quota()).toMatchObject({
    monthly_usd: 50,
    run_cost_usd: 5,
    allowed_models: [],
    storage_bytes: 1024 ** 3,
  });
  const lifted = { user_id: null, monthly_usd: null, run_cost_usd: null, allowed_models: null, storage_bytes: null };
  expect((await shared.call("PATCH", "/api/quotas", first.session, { body: lifted })).status).toBe(200);
  await shared.signUp("third");
  expect(await quota()).toMatchObject({ monthly_usd: null, run_cost_usd: null, allowed_models: null });
});
