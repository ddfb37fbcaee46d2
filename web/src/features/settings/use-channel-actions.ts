// What can be done to one channel; the list that shows it is asked for again afterwards.

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { routes } from "../../../../src/protocol/api.ts";
import type { RouteInput } from "../../../../src/protocol/route.ts";
import { api } from "../../lib/api.ts";
import { showDone } from "../../ui/toast.ts";
import { settingKeys } from "./settings-queries.ts";

type Change = RouteInput<typeof routes.channels.update>["body"];

export function useChannelActions(channelId: string) {
  const queryClient = useQueryClient();
  const params = { channelId };
  const onSettled = () => queryClient.invalidateQueries({ queryKey: settingKeys.channels });
  return {
    change: useMutation({ mutationFn: (body: Change) => api(routes.channels.update, { params, body }), onSettled }),
    test: useMutation({
      mutationFn: () => api(routes.channels.test, { params }),
      onSettled: () => queryClient.invalidateQueries({ queryKey: [...settingKeys.deliveries, channelId] }),
    }),
    rotate: useMutation({ mutationFn: () => api(routes.channels.rotateSecret, { params }), onSettled }),
    remove: useMutation({
      mutationFn: () => api(routes.channels.remove, { params }),
      onSuccess: () => showDone("The channel was removed"),
      onSettled,
    }),
  };
}
