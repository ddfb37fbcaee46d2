// What pages and commands have to know of how channels are set up in this installation.

export type ChannelsPort = {
  /** Null: no bot is set up. */
  readonly botId: number | null;
  /** Why a webhook may not be sent there; null: it may. Names are judged when something is sent. */
  readonly judgeUrl: (url: string) => string | null;
};
