package cli

import (
	"errors"
	"regexp"
	"strings"
	"testing"
)

// An invalid command line is explained in the words of the help.
func TestUsageErrors(t *testing.T) {
	for line, want := range map[string]string{
		"try":                              "try takes a script and a file, not 0 arguments: sdcdesk try SCRIPT FILE",
		"compare a b":                      "compare takes two scripts or two releases, and the original file, not 2 arguments: sdcdesk compare A B FILE",
		"convert a":                        "convert takes a file to read and one to write, not 1 argument: sdcdesk convert IN OUT",
		"inspect":                          "inspect takes a file, not 0 arguments: sdcdesk inspect FILE",
		"plan":                             "plan takes a file, not 0 arguments: sdcdesk plan FILE --keys A,B,C | --numeric A,B",
		"demo x":                           "demo takes no name, not 1 argument: sdcdesk demo",
		"learn a b":                        "learn takes at most one lesson, not 2 arguments: sdcdesk learn [LESSON | FILE.jsonl]",
		"a.csv b.csv":                      "sdcdesk takes at most one file, not 2 arguments: sdcdesk [FILE]",
		"plan f --k x":                     "--k x: it must be an integer",
		"plan f --stop-after 5":            "--stop-after 5: it must be a time such as 30s or 2m",
		"inspect f --json=maybe":           "--json maybe: it must be true or false",
		"demo --rows 99999999999999999999": "--rows 99999999999999999999: it must be an integer",
	} {
		_, err := sdcdesk(strings.Fields(line)...)
		var bad usageError
		if !errors.As(err, &bad) || err.Error() != want {
			t.Errorf("%s: %v\nwant %s", line, err, want)
		}
	}
}

// The help names the values of flags in capitals, not by their Go types, and shows no empty lists.
func TestHelpNamesValuesOfFlags(t *testing.T) {
	typed := regexp.MustCompile(`(?m)^ +(-., )?--[a-z-]+ [a-z]\S*  .*|.*\(default \[.*`)
	for _, cmd := range newRootCommand(&program{}).Commands() {
		for _, line := range typed.FindAllString(cmd.UsageString(), -1) {
			t.Errorf("%s: %s", cmd.Name(), line)
		}
	}
	if line := typed.FindString(newRootCommand(&program{}).UsageString()); line != "" {
		t.Error(line)
	}
}
