package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import touchline.media.AccessUnit;

/** Coded frames or audio of a recording in decode order, through the ffmpeg command line. */
final class RecordedPackets {
    private RecordedPackets() {}

    /**
     * @param stream as ffmpeg names it: {@code v} or {@code a}
     */
    static List<MemorySegment> of(String address, String stream) throws Exception {
        String ofSizes =
                "ffprobe -v error -select_streams %s -show_entries packet=size -of csv=p=0 %s";
        String ofBytes = "ffmpeg -v error -i %s -map 0:%s -c copy -f data pipe:";
        String sizes =
                new String(output(ofSizes.formatted(stream, address)), StandardCharsets.US_ASCII);
        MemorySegment bytes = MemorySegment.ofArray(output(ofBytes.formatted(address, stream)));
        List<MemorySegment> packets = new ArrayList<>();
        long from = 0;
        for (String line : sizes.lines().toList()) {
            if (!line.isBlank()) {
                long size = Long.parseLong(line.replace(",", ""));
                packets.add(bytes.asSlice(from, size));
                from += size;
            }
        }
        assertEquals(bytes.byteSize(), from);
        return packets;
    }

    /** Whether a packet is a unit, with parameter sets before it at most. */
    static boolean isSame(MemorySegment packet, AccessUnit unit) {
        long more = packet.byteSize() - unit.payload().byteSize();
        return more >= 0 && packet.asSlice(more).mismatch(unit.payload()) < 0;
    }

    private static byte[] output(String command) throws IOException, InterruptedException {
        Process process =
                new ProcessBuilder(command.split(" ", -1))
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        byte[] output = process.getInputStream().readAllBytes();
        assertEquals(0, process.waitFor(), command);
        return output;
    }
}
