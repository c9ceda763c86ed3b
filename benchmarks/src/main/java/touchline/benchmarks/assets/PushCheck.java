package touchline.benchmarks.assets;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Compares the packets of an asset's MP4 with those of the push: count, order and bytes.
 *
 * @param videoMs maximum difference of frame times beside one shift; FLV has whole milliseconds
 * @param audioMs the same for audio
 * @param syncMs shift of audio against video at the start
 */
record PushCheck(double videoMs, double audioMs, double syncMs) {
    /**
     * @throws IOException a packet is missing, is new, or has other bytes
     */
    static PushCheck of(Packets stored, Packets pushed) throws IOException {
        long videoUs = Packets.spreadUs(stored.video(), pushed.video());
        long audioUs = Packets.spreadUs(stored.audio(), pushed.audio());
        long videoShiftUs = stored.video().getFirst().ptsUs() - pushed.video().getFirst().ptsUs();
        long audioShiftUs = stored.audio().getFirst().ptsUs() - pushed.audio().getFirst().ptsUs();
        return new PushCheck(
                videoUs / 1e3, audioUs / 1e3, Math.abs(videoShiftUs - audioShiftUs) / 1e3);
    }

    /** The types of an MP4's boxes, in their order (ISO/IEC 14496-12, 4.2). */
    static List<String> boxes(Path file) throws IOException {
        List<String> types = new ArrayList<>();
        try (FileChannel channel = FileChannel.open(file)) {
            long at = 0;
            while (at < channel.size()) {
                ByteBuffer head = ByteBuffer.allocate(16);
                int _ = channel.read(head, at);
                long size = head.getInt(0) & 0xFFFF_FFFFL;
                types.add(new String(head.array(), 4, 4, StandardCharsets.ISO_8859_1));
                at += size == 1 ? head.getLong(8) : size == 0 ? channel.size() : size;
            }
        }
        return types;
    }
}
