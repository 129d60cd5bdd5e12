package delivery

// Limits of a delivery. The texts of arguments count without their NUL, those of variables are
// NAME=value.
const (
	// inputsMirrorBytes is the longest input object that RUNX_INPUTS_JSON mirrors, in bytes
	// (reference contract, 48 KiB; skills 3.4).
	inputsMirrorBytes int = 49_152
	// inputMirrorBytes is the longest rendered value that RUNX_INPUT_<NAME> mirrors, in bytes
	// (reference contract, 8 KiB; skills 3.4).
	inputMirrorBytes int = 8_192
	// linuxTextBytes is the longest argument or variable that Linux takes, in bytes (skills 3.1):
	// 32 pages with the NUL.
	linuxTextBytes int = 131_071
	// windowsUnits is the longest variable and the longest command line that Windows takes, in
	// UTF-16 units (skills 3.1). Windows counts the NUL of a command line.
	windowsUnits int = 32_767
	// textOverhead is what a text costs besides its bytes: its NUL and its pointer (skills 3.4).
	textOverhead int = 1 + 8
	// spareBytes stay free of the limit for arguments and environment together (skills 3.4).
	spareBytes int = 4 << 10
	// fileStemBytes is how much of an input's variable name its file name repeats; ours, so that
	// no path grows long. Numbers keep the file names apart.
	fileStemBytes int = 40
)
