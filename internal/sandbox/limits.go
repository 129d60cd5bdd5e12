package sandbox

// What Linux takes for arguments and environment together (skills 3.4, 13): a quarter of the stack
// limit, within these bounds. The kernel guarantees the lower one and caps the upper one.
const (
	linuxArgEnvMin int = 128 << 10 // bytes
	linuxArgEnvMax int = 6 << 20   // bytes
)

// LinuxArgEnvLimit is Host.ArgEnvLimit in bytes for a process whose soft stack limit is stackBytes;
// a limit of "unlimited", the largest number, gives the upper bound. It asks no system: the caller
// reads the limit, before anything changes it.
func LinuxArgEnvLimit(stackBytes uint64) int {
	return int(min(max(stackBytes/4, uint64(linuxArgEnvMin)), uint64(linuxArgEnvMax)))
}
