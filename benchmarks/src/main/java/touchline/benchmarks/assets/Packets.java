package touchline.benchmarks.assets;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import touchline.benchmarks.load.Command;

/** The output of {@code ffprobe -show_packets}, one list for each track in decode order. */
public record Packets(List<Packet> video, List<Packet> audio) {
    private static final String VIDEO = "video";

    /** Start of the last line of a packet. */
    private static final String LAST = "data_hash=";

    /**
     * @param bytes size
     * @param key whether decoding can start with it
     * @param hash CRC-32 of the bytes
     */
    public record Packet(long ptsUs, long dtsUs, int bytes, boolean key, String hash) {}

    public Packets {
        video = List.copyOf(video);
        audio = List.copyOf(audio);
    }

    /** Reads an address or a file. */
    public static Packets of(String input) throws IOException, InterruptedException {
        List<Packet> video = new ArrayList<>();
        List<Packet> audio = new ArrayList<>();
        Map<String, String> fields = new HashMap<>();
        List<String> command =
                Command.words(
                        "ffprobe -v error -show_packets -show_data_hash crc32 -show_entries"
                                + " packet=codec_type,pts_time,dts_time,size,flags,data_hash"
                                + " -of default=noprint_wrappers=1 %s",
                        input);
        for (String line : Command.require(command).text().lines().toList()) {
            int equals = line.indexOf('=');
            fields.put(line.substring(0, Math.max(0, equals)), line.substring(equals + 1));
            if (line.startsWith(LAST)) {
                (VIDEO.equals(fields.get("codec_type")) ? video : audio).add(packet(fields));
                fields.clear();
            }
        }
        return new Packets(video, audio);
    }

    /** What an asset keeps: its time begins with the first frame, and so does its audio. */
    Packets fromFirstFrame() {
        long firstUs = video.stream().mapToLong(Packet::ptsUs).min().orElseThrow();
        return new Packets(video, audio.stream().filter(each -> each.ptsUs() >= firstUs).toList());
    }

    private static Packet packet(Map<String, String> fields) {
        return new Packet(
                us(fields.getOrDefault("pts_time", "")),
                us(fields.getOrDefault("dts_time", "")),
                Integer.parseInt(fields.getOrDefault("size", "")),
                fields.getOrDefault("flags", "").startsWith("K"),
                fields.getOrDefault("data_hash", ""));
    }

    private static long us(String seconds) {
        return Math.round(Double.parseDouble(seconds) * 1e6);
    }

    /**
     * Difference between the largest and the smallest time shift of two lists, in microseconds.
     *
     * @throws IOException count, a size or a payload differs
     */
    static long spreadUs(List<Packet> ours, List<Packet> theirs) throws IOException {
        if (ours.size() != theirs.size()) {
            throw new IOException(ours.size() + " packets (expected: " + theirs.size() + ")");
        }
        long least = Long.MAX_VALUE;
        long most = Long.MIN_VALUE;
        for (int i = 0; i < ours.size(); i++) {
            Packet one = ours.get(i);
            Packet other = theirs.get(i);
            if (one.bytes() != other.bytes() || !one.hash().equals(other.hash())) {
                throw new IOException("packet " + i + ": " + one + " (expected: " + other + ")");
            }
            long shift = one.ptsUs() - other.ptsUs();
            least = Math.min(least, shift);
            most = Math.max(most, shift);
        }
        return ours.isEmpty() ? 0 : most - least;
    }
}
