/** The thunse: a bamboo basket with its head strap. Its colours come from CSS, for light and dark backgrounds. */
export function LogoMark({ className }: { className: string }) {
  return (
    <svg className={className} viewBox="0 0 32 32" aria-hidden="true">
      <path className="mark-strap" d="M4.5 12.5C6 4.5 26 4.5 27.5 12.5" />
      <path
        className="mark-basket"
        d="M3.5 12h25l-3.6 15.2A2.4 2.4 0 0 1 22.6 29H9.4a2.4 2.4 0 0 1-2.3-1.8z"
      />
      <g className="mark-weave">
        <rect x="8.2" y="15" width="4.2" height="2.4" rx=".8" />
        <rect x="16.6" y="15" width="4.2" height="2.4" rx=".8" />
        <rect x="12.4" y="19" width="4.2" height="2.4" rx=".8" />
        <rect x="20.2" y="19" width="3.4" height="2.4" rx=".8" />
        <rect x="9.2" y="23" width="3.6" height="2.4" rx=".8" />
        <rect x="16.8" y="23" width="4" height="2.4" rx=".8" />
      </g>
    </svg>
  )
}
