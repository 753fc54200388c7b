package rscript

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/method"
)

// null is the null object of R.
const null = "NULL"

// quote returns a text as an R string literal in ASCII.
func quote(text string) string { return `"` + escaped(text, `\"`) + `"` }

// escaped escapes everything except printable ASCII, and puts backslashes before special characters. It drops
// character 0, which R does not have.
func escaped(text, special string) string {
	var out strings.Builder
	for _, r := range strings.ReplaceAll(text, "\x00", "\ufffd") {
		switch {
		case strings.ContainsRune(special, r):
			out.WriteString(`\` + string(r))
		case r >= ' ' && r <= '~':
			out.WriteRune(r)
		default:
			fmt.Fprintf(&out, `\U{%x}`, r)
		}
	}
	return out.String()
}

// vector returns texts as an R vector.
func vector(texts []string) string {
	quoted := make([]string, len(texts))
	for i, text := range texts {
		quoted[i] = quote(text)
	}
	return list(quoted, "c")
}

// list returns a function call with R values as arguments. A single value is returned as it is.
func list(values []string, function string) string {
	switch {
	case len(values) == 0:
		return null
	case len(values) == 1 && function == "c":
		return values[0]
	}
	return function + "(" + strings.Join(values, ", ") + ")"
}

// value converts a JSON value to R.
func value(of any) string {
	var parts []string
	switch of := of.(type) {
	case nil:
		return null
	case bool:
		return strings.ToUpper(fmt.Sprint(of))
	case float64:
		return method.FormatNumber(of)
	case string:
		return quote(of)
	case []any:
		function := "c"
		for _, element := range of {
			if _, nested := element.([]any); nested {
				function = "list"
			}
			parts = append(parts, value(element))
		}
		return list(parts, function)
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(of)) {
			parts = append(parts, quote(name)+" = "+value(of[name]))
		}
		return list(parts, "list")
	}
	return fmt.Sprint(of)
}
