export const elementStyle: string = `
:host{display:block;position:relative;min-height:120px;overflow:hidden}
.viewport{position:absolute;inset:0;overflow:auto;display:flex;cursor:grab;scrollbar-width:thin}
.viewport:active{cursor:grabbing}
.viewport>svg{margin:auto;flex:none;display:block}
.target{cursor:pointer;outline:none}
.target:hover .box{stroke:var(--live)}
.target:focus-visible .box{stroke:var(--live);stroke-width:2.5}
.state .target.is-selected .box{stroke:var(--live);stroke-width:2.5;filter:drop-shadow(0 0 4px color-mix(in srgb,var(--live) 45%,transparent))}
.has-findings .name{text-decoration:underline wavy var(--warn) 1px;text-underline-offset:3px}
.is-running .box{animation:pulse 1.6s ease-in-out infinite}
@keyframes pulse{50%{stroke-opacity:.35}}
@media (prefers-reduced-motion:reduce){.is-running .box{animation:none}}
.toolbar,.picker{position:absolute;display:flex;gap:4px;font:12px system-ui,sans-serif}
.toolbar{right:14px;bottom:14px}
.picker{left:8px;top:8px;flex-direction:column;color:light-dark(#59636e,#9198a1)}
.picker label{display:flex;gap:6px;align-items:center}
button,input{font:inherit;color:light-dark(#1f2328,#e6edf3);background:light-dark(#fff,#21262d);border:1px solid light-dark(#d1d9e0,#3d444d);border-radius:5px;padding:3px 8px}
:host{color-scheme:inherit}
button{cursor:pointer;min-width:26px}
button:hover{border-color:light-dark(#0969da,#58a6ff)}
button:focus-visible,input:focus-visible{outline:2px solid light-dark(#0969da,#58a6ff);outline-offset:1px}
input{width:64px}
`
