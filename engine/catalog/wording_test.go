package catalog_test

import (
	"regexp"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/catalog"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// The texts of methods and measures use the terms of the field.
func TestTheFieldsWords(t *testing.T) {
	other := regexp.MustCompile(`(?i)variables? of numbers|main part`)
	check := func(name, help string, params []method.Param) {
		for _, p := range params {
			help += " " + p.Help
		}
		if found := other.FindString(help); found != "" {
			t.Errorf("%s says %q", name, found)
		}
	}
	for _, spec := range catalog.Methods() {
		check(spec.Name, spec.Title+" "+spec.Help, spec.New().Params())
	}
	for _, spec := range catalog.Measures() {
		check(spec.Name, spec.Title+" "+spec.Help, spec.New().Params())
	}
}
