package session

import (
	"bytes"
	"context"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sdcdesk/sdcdesk/engine/data/survey"
	"github.com/sdcdesk/sdcdesk/engine/release/check"
	"github.com/sdcdesk/sdcdesk/house/longtests"
)

// The findings expected in unprotected files under the suggested roles; a finding is listed with variables if
// somebody would have to look at them.
const (
	surveyFindings = "direct-identifiers pid; household-ids hid; record-order; violators; risk; unique-numbers; " +
		"extreme-values; weights"
	amountsAlone  = "unique-numbers; extreme-values"
	argusFindings = "violators; risk; unique-numbers; extreme-values"
	// Nearly every record has its own remark of two words, and a time that increases from record to record.
	described = "household-ids hid; record-order; violators; risk; unique-numbers; extreme-values; weights; " +
		"dates intdate started"
	remarks = "direct-identifiers pid; direct-identifiers clock remark; " + described
	// There times are numbers.
	numbered = "direct-identifiers pid; direct-identifiers remark; " + described
	// A number for each record, category texts, few key variables.
	sheet = "direct-identifiers code; household-ids hid; record-order; violators; unique-numbers; extreme-values; " +
		"weights; dates intdate started"
	// The first records: none is above the 99th percentile.
	sixty      = "household-ids hid; record-order; violators; risk; unique-numbers; weights; dates intdate"
	unweighted = "household-ids hid; record-order; violators; unique-numbers; extreme-values; dates intdate started"
	// Few records: those whose education is unique.
	foreign = "violators"
)

// expectedOfFiles are the findings of the files in the folder shared/data.
var expectedOfFiles = [][2]string{
	{"survey.csv", surveyFindings},
	{"testdata.csv", "household-ids ori_hid; record-order; violators; unique-numbers; extreme-values"},
	{"testdata2.csv", "household-ids ori_hid; violators; risk; unique-numbers"},
	{"francdat.csv", "weights"}, {"francdat_missing.csv", "weights"},
	{"guide10.csv", "violators; risk; weights"},
	{"adult.csv", "violators"},
	{"CASCrefmicrodata.csv", amountsAlone}, {"Tarragona.csv", "record-order; " + amountsAlone},
	{"EIA.csv", "cluster-ids UTILITYID; " + amountsAlone},
	{"muargus/Demodata.asc", argusFindings}, {"muargus/Demofree.asc", argusFindings},
	{"muargus/Samhh.asc", "household-ids hhnum; record-order; " + argusFindings},
	{"formats/sav_haven_none.sav", remarks}, {"formats/sav_haven_byte.sav", remarks},
	{"formats/sav_haven_zlib.zsav", remarks}, {"formats/sav_pspp_none.sav", remarks},
	{"formats/sav_pspp_byte.sav", remarks}, {"formats/sav_pspp_zlib.zsav", remarks},
	{"formats/sav_swapped_bigendian.sav", "direct-identifiers pid; direct-identifiers clock remark; " + sixty + " started"},
	{"formats/por_pspp.por", strings.NewReplacer("pid", "PID", "clock remark", "CLOCK", "hid", "HID", "intdate started", "INTDATE STARTED").
		Replace(remarks)},
	// There times are seconds that increase from record to record.
	{"formats/por_readstat.por", "direct-identifiers PID; direct-identifiers STARTED CLOCK; household-ids HID; record-order; " +
		argusFindings + "; weights"},
	{"formats/dta118_haven.dta", remarks},
	{"formats/dta113_haven.dta", numbered}, {"formats/dta114_haven.dta", numbered},
	{"formats/dta115_haven.dta", numbered}, {"formats/dta117_haven.dta", numbered},
	{"formats/xpt5_haven.xpt", remarks}, {"formats/xpt8_haven.xpt", remarks},
	{"formats/sas7bdat_haven.sas7bdat", remarks},
	{"formats/parquet_duckdb_none.parquet", numbered}, {"formats/parquet_duckdb_snappy.parquet", numbered},
	{"formats/parquet_duckdb_v2_lz4.parquet", numbered}, {"formats/parquet_duckdb_zstd.parquet", numbered},
	{"formats/parquet_arrowrs_brotli.parquet", "direct-identifiers pid; " + described},
	{"formats/parquet_arrowrs_gzip_v2.parquet", "direct-identifiers pid; " + described},
	{"formats/parquet_arrowrs_lz4raw_nodict.parquet", "direct-identifiers pid; " + described},
	{"formats/parquet_parquetgo_delta.parquet", strings.TrimPrefix(sheet, "direct-identifiers code; ")},
	{"formats/parquet_arrowgo_snappy_dict.parquet", unweighted},
	{"formats/parquet_arrowgo_zstd_v2pages.parquet", unweighted},
	{"formats/parquet_hyparquet.parquet", "household-ids hid; record-order; violators"},
	{"formats/csv_libreoffice_semicolon_bom_crlf.csv", sheet}, {"formats/csv_r_semicolon_comma_cp1252.csv", sheet},
	// There missing amounts are the text NA, so that they are not amounts.
	{"formats/csv_datatable_tab.tsv", "direct-identifiers code; household-ids hid; record-order; violators; " +
		"weights; dates intdate started"},
	{"formats/ods_libreoffice.ods", sheet}, {"formats/xlsx_libreoffice.xlsx", sheet},
	{"formats/xlsx_openxlsx.xlsx", sheet},
	{"formats/xlsx_excelize.xlsx", "direct-identifiers code; " + strings.TrimSuffix(unweighted, " started")},
	{"formats/dbf_foreign_cp1252.dbf", strings.TrimSuffix(sheet, " started")},
	{"formats/dta108_readstata13.dta", sixty}, {"formats/dta110_readstata13.dta", sixty},
	{"formats/dta113_readstata13.dta", sixty}, {"formats/dta114_readstata13.dta", sixty},
	{"formats/dta115_readstata13.dta", sixty}, {"formats/dta117_readstata13.dta", sixty},
	{"formats/dta118_readstata13.dta", sixty}, {"formats/dta114_swapped_bigendian.dta", sixty},
	{"formats/dta118_swapped_bigendian.dta", sixty},
	{"formats/dta_gretl.dta", strings.TrimSuffix(sixty, "; dates intdate")},
	{"formats/dta108_foreign_cp1252.dta", foreign}, {"formats/dta110_foreign_cp1252.dta", foreign},
	{"formats/dta113_foreign_cp1252.dta", foreign}, {"formats/dta114_foreign_cp1252.dta", foreign},
	{"formats/sav_pspp_cp1252_names.sav", foreign},
	{"formats/sav_pspp_cp1252.sav", foreign},
	{"formats/sav_stripped_cp1252_nocharset.sav", foreign},
	{"formats/por_pspp_cp1252.por", foreign},
	// Five or six records with long texts.
	{"formats/sav_haven_longstrings.sav", ""}, {"formats/sav_haven_longstrings_none.sav", ""},
	{"formats/sav_haven_32000chars.zsav", ""}, {"formats/dta117_haven_strl.dta", ""},
	{"formats/dta118_haven_strl.dta", ""}, {"formats/dta118_swapped_bigendian_strl.dta", ""},
	{"formats/dta119_haven_strl.dta", ""},
	// A file without records identifies nobody, whatever its variables are called.
	{"formats/dta114_haven_0rows.dta", ""}, {"formats/dta118_haven_0rows.dta", ""}, {"formats/por_pspp_0rows.por", ""},
	{"formats/parquet_duckdb_0rows.parquet", ""}, {"formats/sas7bdat_haven_0rows.sas7bdat", ""},
	{"formats/sav_haven_0rows.sav", ""}, {"formats/sav_haven_0rows.zsav", ""}, {"formats/sav_pspp_0rows.sav", ""},
	{"formats/xpt5_haven_0rows.xpt", ""}, {"formats/xpt8_haven_0rows.xpt", ""},
	{"formats/thirdparty/sas_hmisc_test.xpt", foreign}, {"formats/thirdparty/sas_hmisc_test2.xpt", foreign},
	// There the body weight is suggested as the weight, because only its label says what it is.
	{"formats/thirdparty/spss_electric.sav", "direct-identifiers CASEID; weights; " + amountsAlone},
	{"formats/thirdparty/spss_testdata.sav", ""}, {"formats/thirdparty/stata10_115.dta", ""},
	{"formats/thirdparty/stata14_118.dta", ""}, {"formats/thirdparty/stata1_117.dta", ""},
	{"formats/thirdparty/stata2_117.dta", ""}, {"formats/thirdparty/stata4_115.dta", ""},
	{"formats/thirdparty/stata5_115.dta", "free-text string_"},
	{"found/epam_parso__all_rand_normal_with_deleted.sas7bdat", "direct-identifiers x1; record-order; unique-numbers"},
	{"found/epam_parso__all_rand_normal_with_deleted2.sas7bdat", "direct-identifiers x1; record-order; unique-numbers"},
	{"found/epam_parso__charset_wvie.sas7bdat", amountsAlone},
	{"found/epam_parso__data_page_with_deleted.sas7bdat", ""},
	{"found/phuse-org_phuse-scripts__ex.xpt", "direct-identifiers USUBJID EXSEQ; record-order"},
	{"found/Roche_pyreadstat__test_data_linux.sas7bdat", ""},
	{"found/Roche_pyreadstat__simple_alltypes.sav", ""},
	{"found/tidyverse_haven__hadley.sas7bdat", ""},
	{"found/tidyverse_haven__tagged-na-double.dta", ""},
	{"found/quarcs-lab_data-open__AED_HEALTHCATEGORIES.DTA", "unique-numbers"},
	{"found/sjewo_readstata13__statacar.dta", ""},
	{"found/junyuan-chen_ReadStatTables.jl__alltypes.dta", ""},
	{"found/kshedden_datareader__stata2_115.dta", ""},
	{"found/Roche_pyreadstat__date_test.sas7bdat", "direct-identifiers patno; record-order; " +
		"dates dtc1 dtc2 dtc3 dtc4 dt1 dt2 yr"},
	{"found/Roche_pyreadstat__missing_char.sav", ""}, {"found/Roche_pyreadstat__missing_test.sav", ""},
	{"found/Roche_pyreadstat__sample.por", ""}, {"found/Roche_pyreadstat__tegulu.sav", ""},
	{"found/Roche_pyreadstat__test_data_win.sas7bdat", ""}, {"found/albfernandez_javadbf__numbers2.dbf", ""},
	{"found/frictionlessdata_frictionless-py__table-with-booleans.ods", ""},
	{"found/junyuan-chen_ReadStatTables.jl__sample.por", ""}, {"found/olivia76_cpp-sas7bdat__types.sas7bdat", ""},
	{"found/tafia_calamine__covered.ods", ""},
	{"found/apache_parquet-testing__column_chunk_key_value_metadata.parquet", ""},
	{"found/dask_fastparquet__non-std-kvm.fp-0.8.2.parquet", ""},
	{"found/duckdb_duckdb__empty.parquet", ""},
	{"found/duckdb_duckdb__uuid-arrow.parquet", "direct-identifiers u"},
	{"found/hyparam_hyparquet__issue97.parquet", ""},
	{"found/hyparam_hyparquet__uuid.parquet", "direct-identifiers uuid"},
	{"found/ropensci_readODS__col_types.ods", ""},
	{"found/ropensci_readODS__readODStestfilegoogledocscreated.ods", ""},
	{"found/tafia_calamine__issue_530.xlsx", ""},
	{"formats/xls_libreoffice.xls", sheet},
	{"found/YannickDiehl_mariposa__longitudinal_data.rda", "cluster-ids subject_id; " + amountsAlone},
	{"found/sdcTools_sdcMicro__CASCrefmicrodata.rda", amountsAlone}, {"found/sdcTools_sdcMicro__francdat.rda", "weights"},
	{"found/sdcmicro_object.rds", "household-ids ori_hid; record-order; violators; " + amountsAlone},
	// Texts that are unique in each record are names of variables here.
	{"found/phuse-org_phuse-scripts__sdtm-ta-asthma-medical-device.xls", "direct-identifiers " +
		"Variable Name (minus domain prefix) Variable Name; free-text Variable Label CDISC Notes (for domains) " +
		"Description (for General Classes) Definition; unique-numbers"},
	{"found/tidyverse_readxl__more-than-256-unique-strings-xls.xls", "direct-identifiers var"},
	{"found/SheetJS_test_files__crlf5.xls", ""},
	{"found/SheetJS_test_files__merge_cells.xls", ""},
	{"found/ofajardo_pyreadr__altrep_intseq.rdata", ""},
	{"found/ofajardo_pyreadr__dates.rds", ""},
	{"found/ofajardo_pyreadr__international.Rdata", ""},
	{"found/ofajardo_pyreadr__international.rds", ""},
	{"found/ofajardo_pyreadr__one.Rds", ""},
	{"found/ofajardo_pyreadr__two_bzip2.RData", ""},
	{"found/ofajardo_pyreadr__two_rownames.RData", ""},
	{"found/ofajardo_pyreadr__tzone.RData", ""},
	{"found/tafia_calamine__date_1904.xls", ""},
	{"found/tidyverse_readxl__65536-rows-xls.xls", ""},
	{"found/tidyverse_readxl__biff5-label-records.xls", ""},
	{"found/tidyverse_readxl__color-date-xls.xls", ""},
	{"found/tidyverse_readxl__dates-1904.xls", ""},
	{"found/tidyverse_readxl__empty-named-column.xls", ""},
	{"found/tidyverse_readxl__geometry.xls", ""},
	{"found/tidyverse_readxl__no-yes-col-names.xls", ""},
	{"found/tidyverse_readxl__skipping.xls", ""},
	{"found/tidyverse_readxl__utf8-sheet-names.xls", ""},
	{"found/RhoInc_data-library__meta_study.csv", "free-text Structure Keys"},
	{"found/Roche_pyreadstat__dates_xpt_v8.xpt", "dates dt string_dt; unique-numbers"},
	{"found/tmontaigu_dbase-rs__stations_with_deleted.dbf", "direct-identifiers name"},
	{"found/tafia_calamine__inlineStr_with_value.xlsx", ""},
}

// leftOut are patterns of files without expectations, with the reason. All other files that are not in
// expectedOfFiles must be refused.
var leftOut = [][2]string{
	{"found/tafia_calamine__biff5-rich-text-string.xls", "a roll of names whose first row is a title: its variables have no names"},
	{"formats/corrupt/*", "it is broken on purpose"}, {"*.md", "a text"},
	{"*.json", "what readers found"}, {"*.expected.csv", "what readers found"},
	{"*.cdl", "a list of codes"}, {"*.grc", "a recode"}, {"Demo*.rda", "the description of a file of the table"},
	{"Samhh.rda", "the description of a file of the table"},
	{"JanMarvin_readspss__datetimes.sav", "one record that has dates of all formats"},
}

// spelled formats findings like the table of expectations, without repetitions.
func spelled(found []check.Finding) []string {
	naming := []string{"direct-identifiers", "household-ids", "cluster-ids", "dates", "free-text", "precise-places"}
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

// The findings in third-party files are those that a person looking at the files expects.
func TestFindingsOfFiles(t *testing.T) {
	folder := filepath.Join("..", "..", "shared", "data")
	if _, err := os.Stat(folder); err != nil {
		t.Skip("there is no folder shared beside the project")
	}
	for i, file := range expectedOfFiles {
		if strings.HasPrefix(file[0], "formats/") && !longtests.Some(i, 4) {
			continue // one survey in many formats
		}
		found, err := CheckFile(context.Background(), CheckOptions{File: filepath.Join(folder, filepath.FromSlash(file[0]))})
		if err != nil {
			t.Errorf("%s: %v", file[0], err)
		} else if diff := cmp.Diff(expected(file[1]), spelled(found)); diff != "" {
			t.Errorf("%s: %s", file[0], diff)
		}
	}
}

// Every shared file is in the table, is left out with a reason, or is refused.
func TestFindingsOfAllFiles(t *testing.T) {
	folder := filepath.Join("..", "..", "shared", "data")
	if _, err := os.Stat(folder); err != nil {
		t.Skip("there is no folder shared beside the project")
	}
	must(t, filepath.WalkDir(folder, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, err := filepath.Rel(folder, path)
		if err != nil || isExpected(filepath.ToSlash(name)) {
			return err
		}
		if _, err := CheckFile(context.Background(), CheckOptions{File: path}); err == nil {
			t.Errorf("%s is read, and nothing is said of what is expected of it", name)
		}
		return nil
	}))
}

// isExpected reports whether a file is in one of the tables.
func isExpected(name string) bool {
	return slices.ContainsFunc(expectedOfFiles, func(file [2]string) bool { return file[0] == name }) ||
		slices.ContainsFunc(leftOut, func(file [2]string) bool {
			whole, _ := path.Match(file[0], name)
			base, _ := path.Match(file[0], path.Base(name))
			return whole || base
		})
}

// Generated surveys have the findings of the survey.
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
