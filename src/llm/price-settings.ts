// Prices of models as an operator writes them: dollars per million tokens, by `provider/model`.

import { z } from "zod";
import { parseModelId } from "./model-id.ts";
import { type OwnPrices, price } from "./prices.ts";

const perMillion = z
  .number("must be dollars per million tokens")
  .min(0, "must not be less than 0")
  .max(100_000, "must be dollars per million tokens");

const modelPrice = z.strictObject({
  input: perMillion,
  output: perMillion,
  /** Input that is read from the provider's cache; without it, like other input. */
  cached: perMillion.optional(),
  /** Input that is written to the provider's cache; without it, like other input. */
  written: perMillion.optional(),
});

const pricesMax = 500;

export const modelPrices = z
  .record(
    z.string().refine((id) => parseModelId(id) !== null),
    modelPrice,
    {
      error: ({ code }) =>
        code === "invalid_key"
          ? "names of models are provider/model, such as openai-compatible/house-model"
          : "must be an object: input and output for each model",
    },
  )
  .refine((prices) => Object.keys(prices).length <= pricesMax, `must be at most ${pricesMax} models`);

export function toOwnPrices(settings: z.output<typeof modelPrices> | null): OwnPrices {
  const all = Object.entries(settings ?? {});
  return Object.fromEntries(
    all.map(([id, { input, output, cached = input, written }]) => [id, price(input, output, cached, written)]),
  );
}
