// Command index writes main.go, which drives the rendered loop in the folder that its first argument names. So all
// renderings are linked once, in one program.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	drivers, err := filepath.Glob("*/driver.go")
	if err != nil {
		panic(err)
	}
	var imports, cases strings.Builder
	for number, driver := range drivers {
		name := filepath.Dir(driver)
		fmt.Fprintf(&imports, "\tr%d %q\n", number, "vectors/"+name)
		fmt.Fprintf(&cases, "\tcase %q:\n\t\tr%d.Drive()\n", name, number)
	}
	source := "package main\n\nimport (\n\t\"os\"\n\n" + imports.String() + ")\n\nfunc main() {\n\tswitch os.Args[1] {\n" +
		cases.String() + "\t}\n}\n"
	if err := os.WriteFile("main.go", []byte(source), 0o644); err != nil {
		panic(err)
	}
}
