/** For pictures of their own and for the element's: light, and dark where the reader wants that. */
export const graphStyle: string = `
.asl-graph{--ink:#1f2328;--muted:#59636e;--line:#9aa4af;--edge:#6e7781;--surface:#fff;--inset:#f6f8fa;--border:#d1d9e0;
--ok:#1a7f37;--ok-soft:#e6f6ea;--bad:#cf222e;--bad-soft:#ffebe9;--warn:#8a5a00;--warn-soft:#fff5d6;--live:#0969da;--live-soft:#e3f1ff;--off:#6e7781;
font-family:system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue","Noto Sans",sans-serif;color:var(--ink)}
@media (prefers-color-scheme:dark){.asl-graph{--ink:#e6edf3;--muted:#9198a1;--line:#5c6672;--edge:#8b949e;--surface:#161b22;--inset:#0d1117;--border:#3d444d;
--ok:#3fb950;--ok-soft:#12261a;--bad:#f85149;--bad-soft:#2d1517;--warn:#d29922;--warn-soft:#2a2111;--live:#58a6ff;--live-soft:#10233d;--off:#8b949e}}
.box{fill:var(--surface);stroke:var(--border);stroke-width:1}
.container .box{fill:var(--inset);stroke-dasharray:4 3}
text{pointer-events:none}
.face{pointer-events:none}
.name{font-size:13px;font-weight:600;fill:var(--ink)}
.detail,.label{font-size:11px;fill:var(--muted)}
.label{text-anchor:middle}
.label-box{fill:var(--surface);opacity:.92}
.icon,.status{fill:none;stroke:var(--muted);stroke-width:1.4;stroke-linecap:round;stroke-linejoin:round}
.status{stroke:var(--tone);stroke-width:2}
.line{fill:none;stroke:var(--line);stroke-width:1.2}
.arrow{fill:var(--line)}
.catch .line{stroke-dasharray:4 4}
.catch .label,.default .label{font-style:italic}
.terminal circle{fill:var(--surface);stroke:var(--line)}
.terminal text{font-size:9.5px;fill:var(--muted);text-anchor:middle}
.retry rect{fill:var(--surface);stroke:var(--border)}
.retry text{font-size:10px;fill:var(--muted);text-anchor:middle}
.was-retried rect{stroke:var(--warn);fill:var(--warn-soft)}
.was-retried text{fill:var(--warn);font-weight:600}
.missing .box{stroke:var(--bad);stroke-dasharray:2 3}
.is-succeeded{--tone:var(--ok);--soft:var(--ok-soft)}
.is-failed{--tone:var(--bad);--soft:var(--bad-soft)}
.is-caught{--tone:var(--warn);--soft:var(--warn-soft)}
.is-running{--tone:var(--live);--soft:var(--live-soft)}
.is-cancelled{--tone:var(--off);--soft:var(--inset)}
.state[class*="is-"]:not(.is-unreached) .box{stroke:var(--tone);stroke-width:1.5;fill:var(--soft)}
.container[class*="is-"]:not(.is-unreached) .box{fill:var(--inset)}
.is-unreached .name,.is-unreached .detail{fill:var(--muted)}
.is-unreached .box{stroke:var(--border)}
.with-execution .edge .line{stroke:var(--border)}
.with-execution .edge .arrow{fill:var(--border)}
.with-execution .taken .line{stroke:var(--edge);stroke-width:1.8}
.with-execution .taken .arrow{fill:var(--edge)}
.with-execution .edge.catch.taken .line{stroke:var(--warn)}
.with-execution .edge.catch.taken .arrow{fill:var(--warn)}
.track{fill:var(--border)}.done{fill:var(--ok)}.lost{fill:var(--bad)}
.count{font-size:11px;fill:var(--muted);text-anchor:end;font-variant-numeric:tabular-nums}
`
