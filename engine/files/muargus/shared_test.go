package muargus_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/files/muargus"
)

// TestSharedFiles reads the files delivered with mu-Argus.
func TestSharedFiles(t *testing.T) {
	folder := filepath.Join("..", "..", "..", "..", "shared", "data", "muargus")
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Skip("the sample files of mu-Argus are absent: ", folder)
	}
	commas := []string{}
	for _, entry := range entries {
		text, err := os.ReadFile(filepath.Join(folder, entry.Name()))
		if err != nil {
			t.Fatal(err)
		}
		switch filepath.Ext(entry.Name()) {
		case ".grc":
			recode, err := muargus.ParseRecode(string(text))
			if err != nil {
				t.Errorf("%s: %v", entry.Name(), err)
				continue
			}
			if len(recode.Notes) > 0 {
				commas = append(commas, entry.Name())
			}
			again, err := muargus.ParseRecode(recode.Text())
			if err != nil || ignoringPlaces(recode, again) != "" {
				t.Errorf("%s is written as %q: %v", entry.Name(), recode.Text(), err)
			}
		case ".rda":
			if d, err := muargus.ParseDescription(string(text)); err != nil || len(d.Warnings()) > 0 {
				t.Errorf("%s: error %v, warnings %v", entry.Name(), err, d)
			}
		case ".cdl":
			if list := muargus.ParseCodeList(string(text)); len(list) == 0 {
				t.Errorf("%s has no labels", entry.Name())
			}
		}
	}
	if got := strings.Join(commas, " "); got != "Age3.grc Etnigr2.grc Region.grc" {
		t.Errorf("commas between missing codes in %s", got)
	}
}
