/// The style sheet of all reports, light and dark, for screens of any width and for paper.
enum Stylesheet {
  static let text = """

    :root{color-scheme:light dark;--ink:#1c2430;--soft:#5b6675;--line:#d9dee5;--paper:#fff;--box:#f5f7f9;
    --good:#1f7a4d;--bad:#b3261e;--warning:#8a5a00;--plain:#7d8896;
    --c0:#2f6fb0;--c1:#c2571a;--c2:#2d8a63;--c3:#8b5fbf;--c4:#a8862a;--c5:#5b6675;
    --c6:#c23b7a;--c7:#1d8fa3;--c8:#7a4b2a;--c9:#6f9a1f}
    @media(prefers-color-scheme:dark){:root{--ink:#e6e9ee;--soft:#a2acb9;--line:#38414d;--paper:#14181d;--box:#1d232a;
    --good:#5cc48f;--bad:#ff8a80;--warning:#e0b050;--plain:#8b96a4;
    --c0:#6aa9ea;--c1:#f0955c;--c2:#62c69b;--c3:#bd98ea;--c4:#dcbc62;--c5:#a2acb9;
    --c6:#f07fb2;--c7:#5fd0e3;--c8:#c79a78;--c9:#b2cf6a}}
    *{box-sizing:border-box}
    body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,-apple-system,"Segoe UI",sans-serif}
    main{max-width:60rem;margin:0 auto;padding:1.5rem 1rem 4rem}
    h1{font-size:1.6rem;line-height:1.25;margin:0 0 .25rem;overflow-wrap:anywhere}
    h2{font-size:1.2rem;margin:2.5rem 0 .5rem;padding-top:.75rem;border-top:1px solid var(--line)}
    h3{font-size:1rem;margin:1.5rem 0 .25rem;overflow-wrap:anywhere}
    p{margin:.5rem 0;overflow-wrap:anywhere}.soft{color:var(--soft)}
    .verdict{font-weight:600;padding:.75rem 1rem;border-radius:.5rem;border-left:.35rem solid;background:var(--box)}
    .verdict.good{border-color:var(--good)}.verdict.bad{border-color:var(--bad)}
    .verdict.warning{border-color:var(--warning)}
    .figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(8.5rem,1fr));gap:.75rem;margin:1rem 0}
    .figure{background:var(--box);border-radius:.5rem;padding:.75rem 1rem}
    .figure b{display:block;font-size:1.5rem;line-height:1.2;font-variant-numeric:tabular-nums}
    .figure span{color:var(--soft);font-size:.9rem}
    .figure.good b{color:var(--good)}.figure.bad b{color:var(--bad)}.figure.warning b{color:var(--warning)}
    .scroll{overflow-x:auto;margin:.75rem 0}
    table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums;font-size:.95rem}
    th,td{padding:.4rem .6rem;border-bottom:1px solid var(--line);text-align:right;vertical-align:top}
    th:first-child{text-align:left;font-weight:500;overflow-wrap:anywhere;min-width:10.5rem}
    thead th{color:var(--soft);font-weight:500;font-size:.85rem;white-space:nowrap}
    .bar{display:flex;height:.5rem;min-width:6rem;max-width:24rem;margin:.35rem 0;border-radius:.35rem;overflow:hidden;background:var(--line)}
    .bar i{min-width:2px}.bar .good{background:var(--good)}.bar .bad{background:var(--bad)}
    .bar .warning{background:var(--warning)}.bar .plain{background:var(--plain)}
    .plot{margin:1rem 0}.plot svg{display:block;overflow:visible}
    .plots{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(24rem,100%),1fr));gap:0 2rem}
    .plot text{font-size:14px;fill:var(--ink)}.plot .value{font-weight:600;font-variant-numeric:tabular-nums}
    .plot .scale{fill:var(--soft);font-size:13px}
    .plot .axis{stroke:var(--plain)}.plot .grid{stroke:var(--line)}.plot .span{stroke-width:3}
    .plot .density{fill:var(--c0);fill-opacity:.25;stroke:var(--c0);stroke-width:2;vector-effect:non-scaling-stroke}
    .plot .band{fill:var(--c1);fill-opacity:.25}.plot .median{stroke:var(--c1);stroke-width:2}
    .plot .line{stroke-width:2;stroke:var(--c0)}\(colours)
    .plot .span.good{stroke:var(--good)}.plot .span.bad{stroke:var(--bad)}.plot .span.warning{stroke:var(--warning)}
    .plot .span.plain{stroke:var(--plain)}.plot .dot.good{fill:var(--good)}.plot .dot.bad{fill:var(--bad)}
    .plot .dot.warning{fill:var(--warning)}.plot .dot.plain{fill:var(--plain)}
    code,pre{font:.9em/1.45 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
    code{overflow-wrap:anywhere}
    pre{background:var(--box);border-radius:.5rem;padding:.75rem 1rem;overflow-x:auto;margin:.5rem 0}
    dl{display:grid;grid-template-columns:max-content 1fr;gap:.15rem 1rem;margin:.5rem 0}
    dt{color:var(--soft)}dd{margin:0;overflow-wrap:anywhere}
    details{border:1px solid var(--line);border-radius:.5rem;margin:.5rem 0;padding:.5rem .9rem}
    summary{cursor:pointer;font-weight:500;overflow-wrap:anywhere}details[open] summary{margin-bottom:.5rem}
    .tag{display:inline-block;border:1px solid currentColor;border-radius:1rem;padding:0 .6rem;font-size:.8rem}
    .tag.bad{color:var(--bad)}.tag.good{color:var(--good)}.tag.warning{color:var(--warning)}.tag.plain{color:var(--soft)}
    @media(max-width:34rem){dl{grid-template-columns:4.75rem 1fr;gap:.1rem .5rem}h1{font-size:1.35rem}
    th,td{padding:.35rem .4rem}
    .wide thead{display:none}.wide tr{display:grid;grid-template-columns:repeat(auto-fill,minmax(6.5rem,1fr));
    padding:.5rem 0;border-bottom:1px solid var(--line)}.wide th,.wide td{border:0;text-align:left;padding:.1rem 0}
    .wide tbody th{grid-column:1/-1}
    .wide td::before{content:attr(data-label);display:block;color:var(--soft);font-size:.8rem}}
    @media print{main{max-width:none}details{break-inside:avoid}}

    """

  private static let colours = (0..<SVG.colours).map { number in
    ".plot .bar\(number){fill:var(--c\(number))}"
  }.joined()
}
