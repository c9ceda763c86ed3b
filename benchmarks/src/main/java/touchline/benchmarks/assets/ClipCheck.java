package touchline.benchmarks.assets;

import java.io.IOException;
import java.util.List;
import touchline.benchmarks.assets.Packets.Packet;

/**
 * Compares a clip with its source.
 *
 * @param inner packets of whole GOPs in the clip, all with the bytes of the source
 * @param syncMs maximum shift of audio against video
 * @param firstOff frames by which the clip begins too late
 * @param lastOff frames by which the clip ends too late
 */
record ClipCheck(int inner, double syncMs, int firstOff, int lastOff) {
    private static final int RATE = 30;

    /** Audio begins before the start of the clip. */
    private static final long EARLY_US = 250_000;

    /** Range that is searched before and after an end of the clip. */
    private static final double WINDOW_SECONDS = 1;

    /** Seeks to a time before a frame, so that decoding begins with this frame. */
    private static final double BEFORE_SECONDS = 0.010;

    /** A source and its clip. */
    record Pair(Packets source, String sourceMp4, String clipMp4) {}

    /**
     * @param startSeconds time of the clip's first frame in the source
     * @throws IOException a packet of a whole GOP differs from the source
     */
    static ClipCheck of(Pair pair, double startSeconds, int seconds)
            throws IOException, InterruptedException {
        Packets clip = Packets.of(pair.clipMp4());
        long startUs = startUs(pair.source(), startSeconds);
        List<Packet> inner = wholeGops(pair.source(), startSeconds, seconds);
        int keptAt = find(clip.video(), inner, Long.MIN_VALUE);
        List<Packet> kept = clip.video().subList(keptAt, keptAt + inner.size());
        int audioAt = find(pair.source().audio(), clip.audio(), startUs - EARLY_US);
        List<Packet> sourceAudio =
                pair.source().audio().subList(audioAt, audioAt + clip.audio().size());
        double videoUs = kept.getFirst().ptsUs() - inner.getFirst().ptsUs();
        double audioUs = clip.audio().getFirst().ptsUs() - sourceAudio.getFirst().ptsUs();
        long spreadUs = Packets.spreadUs(kept, inner) + Packets.spreadUs(clip.audio(), sourceAudio);
        SmallFrames all = SmallFrames.of(pair.clipMp4());
        return new ClipCheck(
                inner.size(),
                (Math.abs(videoUs - audioUs) + spreadUs) / 1_000,
                off(pair, startSeconds, all.first()),
                off(pair, startSeconds + seconds - 1.0 / RATE, all.last()));
    }

    private static long startUs(Packets source, double startSeconds) {
        long zeroUs = source.video().stream().mapToLong(Packet::ptsUs).min().orElseThrow();
        return zeroUs + Math.round(startSeconds * 1e6);
    }

    /** Packets of the GOPs that lie in a range of a source completely. */
    static List<Packet> wholeGops(Packets source, double startSeconds, int seconds) {
        List<Packet> video = source.video();
        long startUs = startUs(source, startSeconds);
        long endUs = startUs + seconds * 1_000_000L;
        int from = keyFrame(video, 0, startUs);
        int to = from;
        for (int next = keyFrame(video, from + 1, startUs);
                next < video.size() && video.get(next).ptsUs() <= endUs;
                next = keyFrame(video, next + 1, startUs)) {
            to = next;
        }
        return video.subList(from, to);
    }

    /** Index of consecutive packets. */
    static int find(List<Packet> in, List<Packet> row) throws IOException {
        return find(in, row, Long.MIN_VALUE);
    }

    /** Position of a frame in the source, counted in frames from a time. */
    private static int off(Pair pair, double seconds, byte[] frame)
            throws IOException, InterruptedException {
        double from = seconds - WINDOW_SECONDS - BEFORE_SECONDS;
        return SmallFrames.of(pair.sourceMp4(), from, 2 * WINDOW_SECONDS).mostLike(frame)
                - (int) (WINDOW_SECONDS * RATE);
    }

    private static int keyFrame(List<Packet> packets, int from, long ptsUs) {
        int index = from;
        while (index < packets.size()
                && !(packets.get(index).key() && packets.get(index).ptsUs() >= ptsUs)) {
            index++;
        }
        return index;
    }

    /** Index of consecutive packets, searched from a time on. */
    private static int find(List<Packet> in, List<Packet> row, long fromUs) throws IOException {
        for (int i = 0; i + row.size() <= in.size(); i++) {
            if (in.get(i).ptsUs() >= fromUs && isAt(in, i, row)) {
                return i;
            }
        }
        throw new IOException(row.size() + " packets are not in the source");
    }

    private static boolean isAt(List<Packet> in, int index, List<Packet> row) {
        for (int i = 0; i < row.size(); i++) {
            if (!in.get(index + i).hash().equals(row.get(i).hash())) {
                return false;
            }
        }
        return true;
    }
}
