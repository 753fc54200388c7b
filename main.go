// Command sdcdesk is an interactive terminal workbench for statistical
// disclosure control of microdata.
package main

import (
	_ "embed" // the files that the program shows itself with
	"os"

	"github.com/sdcdesk/sdcdesk/cli"
)

var (
	//go:embed testdata/survey.csv
	survey []byte
	//go:embed testdata/guide10.csv
	guide []byte
)

func main() {
	os.Exit(cli.Main(os.Args[1:], os.Stdout, os.Stderr, cli.Examples{Survey: survey, Guide: guide}))
}
