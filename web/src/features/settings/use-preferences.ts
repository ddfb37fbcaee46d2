// Saves one choice about notifications. It shows at once, and goes back to what it was if the server does not take it.

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { routes } from "../../../../src/protocol/api.ts";
import { api } from "../../lib/api.ts";
import { keys } from "../../lib/data/keys.ts";
import { type NotificationPreference, notificationPreferencesQuery } from "../../lib/data/notifications.ts";

export function usePreferences() {
  const queryClient = useQueryClient();
  const { queryKey } = notificationPreferencesQuery;
  return useMutation({
    mutationFn: (chosen: NotificationPreference) =>
      api(routes.notifications.setPreferences, { body: { preferences: [chosen] } }),
    onMutate: async (chosen) => {
      await queryClient.cancelQueries({ queryKey });
      queryClient.setQueryData(
        queryKey,
        (before) =>
          before && {
            preferences: before.preferences.map((each) => (each.event === chosen.event ? chosen : each)),
          },
      );
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: keys.notificationPreferences }),
  });
}
