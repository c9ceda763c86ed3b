package touchline.benchmarks.assets;

import java.io.IOException;
import java.util.List;
import touchline.benchmarks.assets.Packets.Packet;

/**
 * Compares a clip with what it was cut from.
 *
 * @param inner packets of groups of frames that lie whole in the clip; each of them has the
 *     source's bytes
 * @param syncMs how far audio and video have moved against each other, at most
 * @param firstOff how many frames too late the clip begins
 * @param lastOff how many frames too late it ends
 */
record ClipCheck(int inner, double syncMs, int firstOff, int lastOff) {
    private static final int RATE = 30;

    /** Audio begins with the frame before the one that audio at the start. */
    private static final long EARLY_US = 250_000;

    /** Around an edge. */
    private static final double WINDOW_SECONDS = 1;

    /** A little before a frame, so that it is the first one of a stretch. */
    private static final double BEFORE_SECONDS = 0.010;

    /** What is compared with what. */
    record Pair(Packets source, String sourceMp4, String clipMp4) {}

    /**
     * @param startSeconds where the clip begins, on a frame
     * @throws IOException where a packet of an inner group is not the source's
     */
    static ClipCheck of(Pair pair, double startSeconds, int seconds)
            throws IOException, InterruptedException {
        Packets clip = Packets.of(pair.clipMp4());
        List<Packet> video = pair.source().video();
        long zeroUs = video.stream().mapToLong(Packet::ptsUs).min().orElseThrow();
        long startUs = zeroUs + Math.round(startSeconds * 1e6);
        long endUs = startUs + seconds * 1_000_000L;
        int from = keyFrame(video, 0, startUs);
        int to = from;
        for (int next = keyFrame(video, from + 1, startUs);
                next < video.size() && video.get(next).ptsUs() <= endUs;
                next = keyFrame(video, next + 1, startUs)) {
            to = next;
        }
        List<Packet> inner = video.subList(from, to);
        int shown = find(clip.video(), inner, Long.MIN_VALUE);
        List<Packet> kept = clip.video().subList(shown, shown + inner.size());
        int audioAt = find(pair.source().audio(), clip.audio(), startUs - EARLY_US);
        List<Packet> heard = pair.source().audio().subList(audioAt, audioAt + clip.audio().size());
        double videoUs = kept.getFirst().ptsUs() - inner.getFirst().ptsUs();
        double audioUs = clip.audio().getFirst().ptsUs() - heard.getFirst().ptsUs();
        long spreadUs = Packets.spreadUs(kept, inner) + Packets.spreadUs(clip.audio(), heard);
        SmallFrames all = SmallFrames.of(pair.clipMp4());
        return new ClipCheck(
                inner.size(),
                (Math.abs(videoUs - audioUs) + spreadUs) / 1_000,
                off(pair, startSeconds, all.first()),
                off(pair, startSeconds + seconds - 1.0 / RATE, all.last()));
    }

    /** How many frames behind a time this one is shown in the source. */
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

    /** Where a row of packets stands, at a time or behind it. */
    private static int find(List<Packet> in, List<Packet> row, long fromUs) throws IOException {
        for (int i = 0; i + row.size() <= in.size(); i++) {
            if (in.get(i).ptsUs() >= fromUs && isAt(in, i, row)) {
                return i;
            }
        }
        throw new IOException("not the source's packets: " + row.size() + " of them");
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
