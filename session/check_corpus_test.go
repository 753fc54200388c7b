package session

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sdcdesk/sdcdesk/engine/data/survey"
	"github.com/sdcdesk/sdcdesk/engine/release/check"
)

// What is expected of files as they are, under the suggested roles; variables stand where
// a finding names what somebody would have to look at.
const (
	surveyFindings = "direct-identifiers pid; household-numbers hid; record-order; violators; risk; unique-numbers; " +
		"extreme-values; weights"
	amountsAlone  = "unique-numbers; extreme-values"
	argusFindings = "violators; risk; unique-numbers; extreme-values"
	// Nearly every record has a remark of its own, of two words.
	described = "household-numbers hid; record-order; violators; risk; unique-numbers; extreme-values; weights; " +
		"dates intdate started"
)

// expectedOfFiles are the findings of the files in the folder shared/data.
var expectedOfFiles = [][2]string{
	{"survey.csv", surveyFindings},
	{"testdata.csv", "household-numbers ori_hid; record-order; violators; unique-numbers; extreme-values"},
	{"testdata2.csv", "household-numbers ori_hid; violators; risk; unique-numbers"},
	{"francdat.csv", "weights"}, {"francdat_missing.csv", "weights"},
	{"guide10.csv", "violators; risk; weights"},
	{"adult.csv", "violators"},
	{"CASCrefmicrodata.csv", amountsAlone}, {"Tarragona.csv", amountsAlone},
	{"EIA.csv", "group-numbers UTILITYID; " + amountsAlone},
	{"muargus/Demodata.asc", argusFindings}, {"muargus/Demofree.asc", argusFindings},
	{"muargus/Samhh.asc", "household-numbers hhnum; record-order; " + argusFindings},
	{"formats/sav_haven_none.sav", "direct-identifiers pid remark; " + described},
	// There the time of day is a whole number that ascends from record to record.
	{"formats/dta118_haven.dta", "direct-identifiers pid clock remark; " + described},
	{"found/epam_parso__all_rand_normal_with_deleted.sas7bdat", "direct-identifiers x1; record-order; unique-numbers"},
	{"found/epam_parso__all_rand_normal_with_deleted2.sas7bdat", "direct-identifiers x1; record-order; unique-numbers"},
	{"found/epam_parso__charset_wvie.sas7bdat", amountsAlone},
	{"found/epam_parso__data_page_with_deleted.sas7bdat", ""},
	{"found/phuse-org_phuse-scripts__ex.xpt", "direct-identifiers USUBJID EXSEQ; record-order"},
	{"found/phuse-org_phuse-scripts__MedDRA_at_a_Glance_Error_Summary.xls", ""},
	{"found/Roche_pyreadstat__test_data_linux.sas7bdat", ""},
	{"found/Roche_pyreadstat__simple_alltypes.sav", ""},
	{"found/tidyverse_haven__hadley.sas7bdat", ""},
	{"found/tidyverse_haven__tagged-na-double.dta", ""},
	{"found/quarcs-lab_data-open__AED_HEALTHCATEGORIES.DTA", "unique-numbers"},
	{"found/sjewo_readstata13__statacar.dta", ""},
	{"found/junyuan-chen_ReadStatTables.jl__alltypes.dta", ""},
	{"found/kshedden_datareader__stata2_115.dta", ""},
}

// spelled spells findings as the table of what is expected does, without repetitions.
func spelled(found []check.Finding) []string {
	naming := []string{"direct-identifiers", "household-numbers", "group-numbers", "dates", "free-text", "precise-places"}
	var texts []string
	for _, f := range found {
		text := f.Name
		if slices.Contains(naming, f.Name) {
			text += " " + strings.Join(f.Variables, " ")
		}
		texts = append(texts, text)
	}
	slices.Sort(texts)
	return slices.Compact(texts)
}

func expected(text string) []string {
	if text == "" {
		return nil
	}
	texts := strings.Split(text, "; ")
	slices.Sort(texts)
	return texts
}

// The findings of files that others made are those that somebody who looks at the files
// expects.
func TestFindingsOfFiles(t *testing.T) {
	folder := filepath.Join("..", "..", "shared", "data")
	if _, err := os.Stat(folder); err != nil {
		t.Skip("there is no folder shared beside the project")
	}
	for _, file := range expectedOfFiles {
		found, err := CheckFile(context.Background(), CheckOptions{File: filepath.Join(folder, filepath.FromSlash(file[0]))})
		if err != nil {
			t.Errorf("%s: %v", file[0], err)
		} else if diff := cmp.Diff(expected(file[1]), spelled(found)); diff != "" {
			t.Errorf("%s: %s", file[0], diff)
		}
	}
}

// Surveys that are made have the findings of the survey.
func TestFindingsOfGeneratedFiles(t *testing.T) {
	for seed := range uint64(10) {
		var text bytes.Buffer
		must(t, survey.WriteCSV(&text, 1000, seed+1))
		path := filepath.Join(t.TempDir(), "made.csv")
		must(t, os.WriteFile(path, text.Bytes(), 0o600))
		found, err := CheckFile(context.Background(), CheckOptions{File: path})
		must(t, err)
		if diff := cmp.Diff(expected(surveyFindings), spelled(found)); diff != "" {
			t.Errorf("seed %d: %s", seed+1, diff)
		}
	}
}
