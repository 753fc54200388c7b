package cli

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// placeholders are the names of values in --help, with their flags.
var placeholders = map[string][]string{
	"CHARACTER":          {"decimal", "delimiter"},
	"CODE":               {"total"},
	"CODES":              {"missing"},
	"COST":               {"cost"},
	"ENCODING":           {"encoding"},
	"FINDINGS":           {"accept"},
	"FOLDER":             {"in", "scratch", "release output"},
	"FORMAT":             {"release write-codebook"},
	"MEASURES":           {"measures"},
	"METHOD":             {"method"},
	"N":                  {"k", "points", "rows", "seed"},
	"NAME":               {"accepted-by", "contact", "name", "responsible"},
	"NAME=VALUE":         {"read"},
	"PERCENT":            {"at-most"},
	"PROTECTION":         {"protect"},
	"RISK":               {"risk"},
	"RULE":               {"rule"},
	"SIZE":               {"max-memory"},
	"STATE=CODES":        {"state"},
	"TEXT":               {"because"},
	"THEME":              {"theme"},
	"TIME":               {"stop-after"},
	"VARIABLE":           {"contributors", "count", "holding", "household", "response", "shadow", "weight"},
	"VARIABLE=FILE":      {"hierarchy"},
	"VARIABLE=N":         {"importance"},
	"VARIABLE=VARIABLES": {"nested"},
	"VARIABLES":          {"by", "columns", "keep", "keys", "largest", "numbers", "numeric", "random-ids", "strata"},
	"FILE": {"against", "codebook", "identifier-patterns", "measure-params", "output", "prior", "records", "report",
		"report-users", "script", "session", "summary", "write-codebook"},
}

// named is a flag value with a placeholder instead of its Go type.
type named struct {
	pflag.Value
	placeholder string
}

// Type returns the placeholder.
func (n named) Type() string { return n.placeholder }

// namePlaceholders replaces the Go types in the help of a command's flags.
func namePlaceholders(cmd *cobra.Command) {
	flags := cmd.LocalFlags()
	for _, of := range []string{"", cmd.Name() + " "} {
		for placeholder, names := range placeholders {
			for _, name := range names {
				if flag := flags.Lookup(strings.TrimPrefix(name, of)); flag != nil && strings.HasPrefix(name, of) {
					flag.Value = named{flag.Value, placeholder}
					flag.DefValue = strings.TrimPrefix(strings.Trim(flag.DefValue, "[]"), "0s")
				}
			}
		}
	}
}
