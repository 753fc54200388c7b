package tui

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// has looks for parts of the screen, and for what begins with ! that it is not there.
func (d *driver) has(parts ...string) *driver {
	d.Helper()
	for _, part := range parts {
		if not := strings.HasPrefix(part, "!"); strings.Contains(d.Text(), strings.TrimPrefix(part, "!")) == not {
			d.Fatalf("%q:\n%s", part, d.Text())
		}
	}
	return d
}

// The tab Data of a file that is read in passes switches between groups and pages of single records; these are turned,
// filtered, and told with what steps made of them.
func TestSingleRecordsOfAFile(t *testing.T) {
	d := onFile(t, "survey.csv", true).withRoles()
	d.Press("f7").has("381 groups", "single records", "!go to record")
	d.Press("d").has("1 to 38 of 5,000", "protected well", "d groups", "enter why")
	d.Press("pgdown").has("39 to 76 of 5,000").Press("down", "pgup").has("1 to 38 of 5,000")
	d.Press("G").has("4,963 to 5,000 of 5,000", "▸ 5,000").Press("pgup").has("4,925 to 4,962")
	d.Press("g").has("▸     1").Press("end").has("▸ 5,000").Press("down").has("▸ 5,000").Press("home", "up").has("▸     1")
	for range 38 {
		d.Press("down")
	}
	d.has("39 to 76", "▸    39").Press("up").has("1 to 38", "▸    38")
	d.Press("b").Type("1234").Press("enter").has("1,234 to 1,271", "▸ 1,234")
	d.Press("/").Type("age > 90 and sex = female").Press("enter").has("in the source age > 90 and sex = female")
	d.Press("/").Type(" and").Press("enter").has("filter:", "a variable is expected").Press("esc")
	d.Press("/").Type(" and risk > 0.1").Press("enter").has("no variable risk", "in the source age > 90 and sex = female")
	d.Press("esc").has("1 to 38 of 5,000").Press("s").has("not sorted", "1 to 38 of 5,000", "!by region")
	d.Press("right", "right", "right").has("roof: metal")
	d.Press("v").role("k", "age", "educ").Press("enter").has("1 to 38 of 5,000")
	d.Press("K", "enter").has("1 to 38 of 5,000")
	for tries := 0; !strings.Contains(d.Text(), "∅?"); tries++ {
		if d.Press("pgdown"); tries > 50 {
			t.Fatal("no cell is lost by some records of a group alone")
		}
	}
	for tries := 0; !strings.Contains(d.Text(), "of its group"); tries++ {
		if d.Press("down"); tries%38 == 37 {
			d.Press("pgup", "right")
		}
		if tries > 600 {
			t.Fatalf("no cell is told of:\n%s", d.Text())
		}
	}
	d.has("lost by", "which ones").Press("enter").has("Smallest sets").Press("esc")
	d.Press("f2").Press("f7").has("Single records")
	d.Press("d").has("groups").Press("home", "D").has("in the source", "region = Arden")
	d.Press("esc").has("groups of 5,000 records")
}

// figuresOfRecords are the records on the screen with their fk, Fk and risk.
func (d *driver) figuresOfRecords() map[string]string {
	found := map[string]string{}
	for _, line := range regexp.MustCompile(`[│▸ ] +([0-9,]+) +([0-9,]+|–) +([0-9.,]+|–) +([0-9.]+|–) `).FindAllStringSubmatch(d.Text(), -1) {
		found[line[1]] = strings.Join(line[2:], " ")
	}
	return found
}

// Single records have the figures of the same records in memory; those of whose group only some lose a cell have none.
func TestFiguresOfSingleRecords(t *testing.T) {
	pages := onFile(t, "survey.csv", true).withRoles().Press("f7", "d", "F").has("▸     1")
	memory := onFile(t, "survey.csv", false).withRoles().Press("f7", "F").has("▸     1")
	for _, step := range []string{"as it was read", "with k-anonymity"} {
		told, want := 0, memory.figuresOfRecords()
		for range 9 {
			maps.Copy(want, memory.Press("pgdown").figuresOfRecords())
		}
		for range 5 {
			for record, figures := range pages.figuresOfRecords() {
				if told++; figures != want[record] {
					t.Errorf("%s: record %s has %s, in memory %s", step, record, figures, want[record])
				}
			}
			pages.Press("pgdown")
		}
		if told < 150 {
			t.Errorf("%s: %d records have figures\n%s", step, told, pages.Text())
		}
		pages.Press("v").role("k", "age", "educ").Press("enter", "K", "enter", "g")
		memory.Press("v").role("k", "age", "educ").Press("enter", "K", "enter", "home")
	}
	for range 100 {
		figures := slices.Collect(maps.Values(pages.Press("pgdown").figuresOfRecords()))
		if undecided := strings.Contains(pages.Text(), "∅?"); undecided != slices.Contains(figures, "– – –") {
			t.Fatalf("figures of records of whose group only some lose a cell:\n%s", pages.Text())
		} else if undecided {
			return
		}
	}
	t.Error("no cell is lost by some records of a group alone")
}
