package tui

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/data/survey"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
	"github.com/sdcdesk/sdcdesk/house/longtests"
	"github.com/sdcdesk/sdcdesk/session"
)

// picturesOfManual are the pictures in docs/pictures: the screen of the demonstration, or of what options open, after some keys.
var picturesOfManual = []struct {
	name          string
	width, height int
	keys          string
	options       func() Options // nil: the demonstration
}{
	{"workbench", 120, 38, "1 down down down r enter K enter u 1 up up up r down down down down down down space down space m esc 1", nil},
	{"recode", 120, 34, "1 down down down r", nil},
	{"numeric", 120, 38, "f4 space space space M enter 1 up up up", nil},
	{"record", 100, 28, "4 enter", nil},
	{"variables", 110, 36, "enter a", func() Options { return Options{Path: testFile("survey.csv")} }},
	{"suppress", 100, 30, "K", nil},
	{"pram", 110, 34, "P enter f3", nil},
	{"plans", 100, 26, "p down down down", nil},
	{"export", 100, 34, "K enter e", nil},
	{"script", 100, 26, "1 down down down r enter K enter e right right right", nil},
	{"lesson", 100, 30, "enter 2 8 0 0 enter", func() Options { return Options{OpenLesson: lessonFile, Lesson: "k-anonymity"} }},
	{"tables", 110, 30, "f8 a ctrl+u r e g i o n , e d u c enter down right right", nil},
	{"frequencies", 110, 34, "1 down down down", func() Options { return Options{Demo: true, OpenDemo: tenBillion} }},
}

// tenBillion opens a frequency table of ten billion synthetic persons.
func tenBillion(context.Context, *progress.Meter) (session.Opening, microdata.Scenario, error) {
	scenario := surveyScenario()
	scenario.Household, scenario.Remove = "", nil
	format := fileio.NewFormat()
	format.Count = "records"
	data, err := survey.DrawGroups(1e10, scenario.Keys, 1)
	return session.Opening{Source: session.NewDemonstration("survey", format), Name: "survey", Data: data}, scenario, err
}

// The pictures of README and the manual show the screen as it is.
func TestGoldenPictures(t *testing.T) {
	folder := filepath.Join(here, "..", "docs", "pictures")
	t.Chdir(t.TempDir())
	for i, p := range picturesOfManual {
		if !*update && !longtests.Some(i, 4) {
			continue
		}
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			options := Options{Demo: true, OpenDemo: opener("survey.csv", demonstrationScenario())}
			if p.options != nil {
				options = p.options()
			}
			options.Theme = "dark"
			d := start(t, options, p.width, p.height)
			for _, key := range strings.Fields(p.keys) {
				if key == "P" {
					openPRAM(d) // with a seed
				} else {
					d.Press(key)
				}
			}
			got, path := newScreenshot(d.still().frame()), filepath.Join(folder, p.name+".svg")
			if *update {
				if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if want, err := os.ReadFile(path); err != nil || strings.ReplaceAll(string(want), "\r\n", "\n") != got {
				t.Errorf("docs/pictures/%s.svg is out of date (%v): go test ./tui -run Golden -update", p.name, err)
			}
		})
	}
}

// README and the manual show all pictures, and no others.
func TestPicturesAreShown(t *testing.T) {
	pages, err := filepath.Glob(filepath.Join(here, "..", "docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	var shown, made []string
	for _, path := range append(pages, filepath.Join(here, "..", "README.md")) {
		page, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range regexp.MustCompile(`!\[[^]]+\]\((?:docs/)?pictures/(\S+)\.svg\)`).FindAllStringSubmatch(string(page), -1) {
			shown = append(shown, found[1])
		}
	}
	for _, p := range picturesOfManual {
		made = append(made, p.name)
	}
	slices.Sort(shown)
	slices.Sort(made)
	if shown = slices.Compact(shown); !slices.Equal(shown, made) {
		t.Errorf("the pages show %q, the tests make %q", shown, made)
	}
}
