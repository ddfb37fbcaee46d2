// A name server on this machine that answers what a test wants, also something else every time it is asked.

import dgram from "node:dgram";
import { Resolver } from "node:dns/promises";
import net from "node:net";

/** Addresses of a name, both families mixed; null: there is no such name. `asked` counts questions of that family from 1 on. */
export type Zone = (name: string, asked: number) => readonly string[] | null;

export type DnsServer = {
  /** Asks this server and no other. */
  readonly resolver: Resolver;
  /** Names in the order they were asked for, with their kind of record: `a.test A`. */
  readonly questions: readonly string[];
  readonly close: () => Promise<void>;
};

const kinds: Readonly<Record<number, "A" | "AAAA">> = { 1: "A", 28: "AAAA" };

export async function startDns(zone: Zone): Promise<DnsServer> {
  const questions: string[] = [];
  const socket = dgram.createSocket("udp4");
  socket.on("message", (query, from) => {
    const { name, type, end } = questionIn(query);
    questions.push(`${name} ${kinds[type] ?? type}`);
    const asked = questions.filter((question) => question === questions.at(-1)).length;
    socket.send(answerTo(query, end, type, zone(name, asked)), from.port, from.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
  const resolver = new Resolver({ timeout: 1_000, tries: 2 });
  resolver.setServers([`127.0.0.1:${socket.address().port}`]);
  return { resolver, questions, close: () => new Promise((resolve) => socket.close(() => resolve())) };
}

function questionIn(query: Buffer): { readonly name: string; readonly type: number; readonly end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join(".").toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

function answerTo(query: Buffer, end: number, type: number, addresses: readonly string[] | null): Buffer {
  const family = type === 1 ? 4 : 6;
  const fitting = (addresses ?? []).filter((address) => net.isIP(address) === family);
  const header = Buffer.from(query.subarray(0, 12));
  header.writeUInt16BE(addresses === null ? 0x8583 : 0x8580, 2); // an answer with authority; 3: no such name
  header.writeUInt16BE(fitting.length, 6);
  header.writeUInt32BE(0, 8);
  return Buffer.concat([header, query.subarray(12, end), ...fitting.map((address) => record(type, bytesOf(address)))]);
}

/** For the name of the question, valid for no time at all. */
function record(type: number, data: Buffer): Buffer {
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(type, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}

function bytesOf(address: string): Buffer {
  if (net.isIP(address) === 4) return Buffer.from(address.split(".").map(Number));
  const whole = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [left = "", right = ""] = whole.split("::");
  const [before, after] = [left, right].map((part) => part.split(":").filter((group) => group !== ""));
  const zeros = Array.from({ length: 8 - (before?.length ?? 0) - (after?.length ?? 0) }, () => "0");
  const groups = [...(before ?? []), ...(whole.includes("::") ? zeros : []), ...(after ?? [])];
  return Buffer.from(groups.flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255]));
}
