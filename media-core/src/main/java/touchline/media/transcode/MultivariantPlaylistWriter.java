package touchline.media.transcode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.bytedeco.ffmpeg.avcodec.AVCodecParameters;
import org.bytedeco.ffmpeg.avformat.AVStream;
import org.bytedeco.ffmpeg.avutil.AVRational;
import touchline.media.ffmpeg.NativeMemory;

/**
 * Writes the multivariant playlist of finished renditions, with their measured bit rates. Audio is
 * a separate rendition if there is video.
 *
 * <p>Source: draft-pantos-hls-rfc8216bis-20, 4.4.6. Stateless.
 */
final class MultivariantPlaylistWriter {
    static final String PLAYLIST = "index.m3u8";

    private static final String SEGMENT_LENGTH = "#EXTINF:";
    private static final String AUDIO_GROUP = "audio";
    private static final String AAC_LC = "mp4a.40.2";
    private static final int BITS = 8;

    private MultivariantPlaylistWriter() {}

    /** Video or audio. */
    sealed interface Kind {
        record Video() implements Kind {}

        record Audio() implements Kind {}
    }

    /**
     * @param folder below the multivariant playlist
     * @param mux the muxer that wrote it
     */
    record Rendition(String folder, Kind kind, OutputMux mux) {
        String uri() {
            return folder + "/" + PLAYLIST;
        }
    }

    /** Rates of a rendition in bits per second. */
    private record Rates(long peakBps, long averageBps) {
        static final Rates NONE = new Rates(0, 0);
    }

    static void write(Path file, List<Rendition> renditions) throws IOException {
        Optional<Rendition> audio =
                renditions.stream().filter(each -> each.kind() instanceof Kind.Audio).findFirst();
        List<Rendition> videos =
                renditions.stream().filter(each -> each.kind() instanceof Kind.Video).toList();
        Path root = file.resolveSibling("");
        Rates withAudio = audio.isPresent() ? rates(root.resolve(audio.get().uri())) : Rates.NONE;
        List<String> lines = new ArrayList<>();
        lines.add("#EXTM3U");
        lines.add("#EXT-X-VERSION:7");
        lines.add("#EXT-X-INDEPENDENT-SEGMENTS");
        if (videos.isEmpty() && audio.isPresent()) {
            lines.add(variant(withAudio) + ",CODECS=\"" + AAC_LC + "\"");
            lines.add(audio.get().uri());
        } else {
            audio.ifPresent(
                    each ->
                            lines.add(
                                    "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"%s\",NAME=\"main\",DEFAULT=YES,AUTOSELECT=YES,URI=\"%s\""
                                            .formatted(AUDIO_GROUP, each.uri())));
            for (Rendition video : videos) {
                Rates frames = rates(root.resolve(video.uri()));
                lines.add(
                        variant(
                                        new Rates(
                                                frames.peakBps() + withAudio.peakBps(),
                                                frames.averageBps() + withAudio.averageBps()))
                                + describe(video.mux().stream(0), audio.isPresent()));
                lines.add(video.uri());
            }
        }
        Files.writeString(file, String.join("\n", lines) + "\n");
    }

    private static String variant(Rates rates) {
        return "#EXT-X-STREAM-INF:BANDWIDTH=%d,AVERAGE-BANDWIDTH=%d"
                .formatted(rates.peakBps(), rates.averageBps());
    }

    private static String describe(AVStream stream, boolean withAudio) {
        AVCodecParameters parameters = stream.codecpar();
        StringBuilder text = new StringBuilder();
        text.append(",CODECS=\"").append(avc(parameters));
        text.append(withAudio ? "," + AAC_LC : "").append('"');
        text.append(",RESOLUTION=%dx%d".formatted(parameters.width(), parameters.height()));
        AVRational rate = stream.avg_frame_rate();
        if (rate.num() > 0 && rate.den() > 0) {
            text.append(
                    String.format(
                            Locale.ROOT, ",FRAME-RATE=%.3f", (double) rate.num() / rate.den()));
        }
        return text.append(withAudio ? ",AUDIO=\"" + AUDIO_GROUP + "\"" : "").toString();
    }

    /** Profile, constraints and level (RFC 6381, 3.3), from either form of the configuration. */
    private static String avc(AVCodecParameters parameters) {
        byte[] config =
                NativeMemory.copyOf(parameters.extradata(), parameters.extradata_size())
                        .toArray(java.lang.foreign.ValueLayout.JAVA_BYTE);
        int at = 1;
        if (config[0] == 0) {
            at = 0;
            while (at < config.length - 4 && !startsSps(config, at)) {
                at++;
            }
            at += 4;
        }
        return String.format(
                Locale.ROOT, "avc1.%02x%02x%02x", config[at], config[at + 1], config[at + 2]);
    }

    private static boolean startsSps(byte[] bytes, int at) {
        return bytes[at] == 0
                && bytes[at + 1] == 0
                && bytes[at + 2] == 1
                && (bytes[at + 3] & 0x1F) == 7;
    }

    /** Sums up the segments of the playlist. */
    private static Rates rates(Path playlist) throws IOException {
        double seconds = 0;
        double longest = 0;
        long bytes = 0;
        long peakBps = 0;
        double segmentSeconds = 0;
        Set<String> seen = new HashSet<>();
        for (String line : Files.readAllLines(playlist)) {
            if (line.startsWith(SEGMENT_LENGTH)) {
                segmentSeconds =
                        Double.parseDouble(
                                line.substring(SEGMENT_LENGTH.length(), line.indexOf(',')));
            } else if (!line.startsWith("#") && !line.isBlank() && seen.add(line)) {
                long size = Files.size(playlist.resolveSibling(line));
                seconds += segmentSeconds;
                bytes += size;
                longest = Math.max(longest, segmentSeconds);
                // A short last segment is not representative of the bit rate.
                if (segmentSeconds > longest / 2 && segmentSeconds > 0) {
                    peakBps = Math.max(peakBps, Math.round(size * BITS / segmentSeconds));
                }
            }
        }
        long averageBps = seconds > 0 ? Math.round(bytes * BITS / seconds) : 0;
        return new Rates(Math.max(1, Math.max(peakBps, averageBps)), Math.max(1, averageBps));
    }
}
