// Compiles every page below each folder given as MDX; writes {path: {error, anchors}} as JSON.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { compile } from "@mdx-js/mdx";
import GithubSlugger from "github-slugger";
import { toString } from "mdast-util-to-string";
import remarkFrontmatter from "remark-frontmatter";
import remarkGfm from "remark-gfm";
import { visit } from "unist-util-visit";

const found = {};
for (const folder of process.argv.slice(2)) {
  for (const name of await readdir(folder, { recursive: true })) {
    if (!name.endsWith(".md")) continue;
    const anchors = [];
    const headings = () => (tree) => {
      const slugger = new GithubSlugger();
      visit(tree, "heading", (node) => {
        anchors.push(slugger.slug(toString(node)));
      });
    };
    let error = null;
    try {
      const text = await readFile(join(folder, name), "utf8");
      await compile(text, { format: "mdx", remarkPlugins: [remarkFrontmatter, remarkGfm, headings] });
    } catch (reason) {
      error = String(reason);
    }
    found[join(folder, name)] = { error, anchors };
  }
}
process.stdout.write(JSON.stringify(found));
