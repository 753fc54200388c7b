package statfile

import "github.com/sdcdesk/sdcdesk/engine/base/wording"

// Deleted is the setting that says whether records that are marked as deleted are read:
// DeletedRead, or else they are left out.
const Deleted = "deleted"

// DeletedRead is the value of Deleted with which marked records are read.
const DeletedRead = "read"

// DeletedOption is the choice of it, for formats in which deleted records stay in the file.
func DeletedOption() Option {
	return Option{Setting: Deleted, Name: "deleted records",
		Help:    "How to read records that are marked as deleted. They remain in the file, but programs do not show them.",
		Choices: Choices("left out", "left out", DeletedRead, "read like others")}
}

// SaidOfDeleted says what became of so many records that are marked as deleted.
func SaidOfDeleted(records int, read bool) string {
	said := wording.Does(records, "record", "are") + " marked as deleted and "
	if read {
		return said + "read like others"
	}
	return said + "skipped; the option \"deleted records\" changes this"
}
