// What the theme leaves out for those who use a keyboard or a screen reader (WCAG 2.2, 2.1.1 and 4.1.2): blocks that
// scroll sideways can be reached by the keyboard, and the search dialog has a name.
(() => {
  const search = document.querySelector('.md-search[role="dialog"]');
  const field = search && search.querySelector('input');
  if (field && !search.hasAttribute('aria-label')) {
    search.setAttribute('aria-label', field.getAttribute('aria-label') || field.placeholder);
  }
  const reachable = () => {
    for (const block of document.querySelectorAll('.md-typeset__scrollwrap, .md-typeset pre > code')) {
      if (block.scrollWidth > block.clientWidth && block.tabIndex !== 0) {
        block.tabIndex = 0;
      }
    }
  };
  reachable();
  // The theme takes the mark away again where it sees no mouse, and wraps tables once it has loaded.
  const changes = {attributeFilter: ['tabindex'], childList: true, subtree: true};
  new MutationObserver(reachable).observe(document.querySelector('.md-content') || document.body, changes);
  addEventListener('resize', reachable);
  addEventListener('change', reachable);
})();

// Each row of a table can be sent to a colleague: it has an address, made of its first cell, and a link to itself. A page
// that was asked for by a row's address finds it, since browsers look for an address until all is parsed (HTML Standard,
// "try to scroll to the fragment"), and this script runs before.
(() => {
  const title = (document.querySelector('.md-content .headerlink') || {}).title || '#';
  for (const row of document.querySelectorAll('.md-typeset table:not([class]) > tbody > tr')) {
    const cell = row.cells[0];
    const name = cell.textContent.toLowerCase().match(/[\p{L}\p{N}]+/gu);
    if (row.id || !name) {
      continue;
    }
    const first = `row-${name.join('-')}`;
    let id = first;
    for (let number = 1; document.getElementById(id); number += 1) {
      id = `${first}_${number}`;
    }
    row.id = id;
    const link = document.createElement('a');
    link.className = 'headerlink';
    link.href = `#${encodeURIComponent(id)}`;
    link.title = title;
    link.setAttribute('aria-label', `${title}: ${cell.textContent.trim()}`);
    cell.append(link);
  }
})();
