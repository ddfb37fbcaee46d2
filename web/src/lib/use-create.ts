// A call that creates something exactly once: sending the same input again after a failure reuses its key,
// so a request whose answer got lost does not create twice.

import { useMutation } from "@tanstack/react-query";
import { useRef } from "react";
import type { AnyRoute, RouteInput, RouteResult } from "../../../src/protocol/route.ts";
import { api } from "./api.ts";
import { randomKey } from "./random-key.ts";

type Options<R extends AnyRoute> = {
  readonly onSuccess: (made: RouteResult<R>) => void;
  /** The caller shows failures itself, next to the form. */
  readonly showsOwnErrors?: boolean;
};

export function useCreate<R extends AnyRoute>(route: R, options: Options<R>) {
  const sent = useRef<{ readonly input: string; readonly key: string } | null>(null);
  return useMutation({
    mutationFn: (input: RouteInput<R>) => {
      const text = JSON.stringify(input);
      if (sent.current?.input !== text) sent.current = { input: text, key: randomKey() };
      return api(route, input, { idempotencyKey: sent.current.key });
    },
    onSuccess: (made) => {
      sent.current = null;
      options.onSuccess(made);
    },
    meta: { showsOwnErrors: options.showsOwnErrors ?? false },
  });
}
