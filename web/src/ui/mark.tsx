// The mark: an H whose crossbar is a check.

export function Mark({ size = 24 }: { readonly size?: number }) {
  return (
    <svg className="mark" width={size} height={size} viewBox="4 4 24 24" fill="none" strokeWidth={3.4} aria-hidden>
      <path d="M9 7v18M23 7v18" stroke="currentColor" strokeLinecap="round" />
      <path className="mark-check" d="m9 15.5 5.2 4.7 8.8-7.7" strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  );
}
