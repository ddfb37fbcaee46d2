// The three kinds of lines that `homework doctor` prints.

import type { Finding } from "../cli/ports.ts";

export const ok = (name: string, message: string): Finding => ({ name, status: "ok", message, fix: null });

export const warning = (name: string, message: string, fix: string): Finding => ({
  name,
  status: "warning",
  message,
  fix,
});

export const problem = (name: string, message: string, fix: string): Finding => ({
  name,
  status: "problem",
  message,
  fix,
});
