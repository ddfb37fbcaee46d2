// Mantine's anchor, button and navigation link as links of the router, typed by its routes.

import { Anchor, type AnchorProps, Button, type ButtonProps, NavLink, type NavLinkProps } from "@mantine/core";
import { createLink } from "@tanstack/react-router";
import type { ComponentPropsWithRef, Ref } from "react";

type AsAnchor<Props> = Omit<Props, "href"> &
  Omit<ComponentPropsWithRef<"a">, keyof Props> & { readonly ref?: Ref<HTMLAnchorElement> };

export const AnchorLink = createLink((props: AsAnchor<AnchorProps>) => <Anchor {...props} />);

export const ButtonLink = createLink((props: AsAnchor<ButtonProps>) => <Button component="a" {...props} />);

export const NavigationLink = createLink((props: AsAnchor<NavLinkProps>) => <NavLink component="a" {...props} />);
