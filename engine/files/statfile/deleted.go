package statfile

import "github.com/sdcdesk/sdcdesk/engine/base/wording"

// Deleted is the setting for records marked as deleted: DeletedRead to read them; otherwise they are left out.
const Deleted = "deleted"

// DeletedRead is the value of Deleted for reading marked records.
const DeletedRead = "read"

// DeletedOption returns the option for formats whose files keep deleted records.
func DeletedOption() Option {
	return Option{Setting: Deleted, Name: "deleted records",
		Help:    "How to read records that are marked as deleted. They remain in the file, but programs do not show them.",
		Choices: Choices("left out", "left out", DeletedRead, "read like others")}
}

// SaidOfDeleted returns a sentence on the treatment of deleted records.
func SaidOfDeleted(records int, read bool) string {
	said := wording.Does(records, "record", "are") + " marked as deleted and "
	if read {
		return said + "read like others"
	}
	return said + "skipped; the option \"deleted records\" changes this"
}
