import { BlockList } from "node:net";
import { expect, test } from "vitest";
import { findClient, parseNetwork } from "./client-address.ts";

const trusted = new BlockList();
trusted.addSubnet("10.0.0.0", 8, "ipv4");
trusted.addSubnet("fd00::", 8, "ipv6");

test.each([
  ["without proxies the connection counts, whatever the header claims", "203.0.113.5", "1.2.3.4", "203.0.113.5"],
  ["a proxy of ours says who it is", "10.0.0.1", "203.0.113.5", "203.0.113.5"],
  ["over two proxies of ours", "10.0.0.1", "203.0.113.5, 10.0.0.2", "203.0.113.5"],
  ["what the client itself wrote in front is not believed", "10.0.0.1", "1.2.3.4, 203.0.113.5", "203.0.113.5"],
  ["IPv4 in IPv6", "::ffff:10.0.0.1", "203.0.113.5", "203.0.113.5"],
  ["IPv6", "fd00::1", "2001:db8::7", "2001:db8::7"],
  ["with a port", "10.0.0.1", "203.0.113.5:1234", "203.0.113.5"],
  ["nonsense names nobody", "10.0.0.1", "unknown", "10.0.0.1"],
  ["our own proxy alone", "10.0.0.1", "10.0.0.7", "10.0.0.7"],
  ["no header", "10.0.0.1", undefined, "10.0.0.1"],
])("%s", (_, socket, header, expected) => {
  expect(findClient(trusted, socket, header)).toBe(expected);
});

test("networks are addresses with or without a width", () => {
  expect(["10.0.0.0/8", "127.0.0.1", "::1", "fd00::/8"].map(parseNetwork)).not.toContain(null);
  for (const wrong of ["10.0.0.0/33", "10.0.0", "proxy.lan", "::1/129", "10.0.0.0/8/8", "10.0.0.0/", ""])
    expect(parseNetwork(wrong)).toBeNull();
});
