package touchline.packager.hls;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.StringJoiner;
import touchline.media.CodecConfig;
import touchline.packager.isobmff.VideoFormat;

/**
 * What a multivariant playlist says about one variant, and the text of such playlists. Bit rates
 * are those measured so far (RFC 8216, 4.3.4.2). Immutable, any thread.
 *
 * @param tracks what decodes them, frames first
 * @param peakBps largest bit rate of a segment
 * @param averageBps of all segments
 * @param measuredFrameRate for configurations without a frame rate; 0 if unknown
 * @param independentSegments every segment is known to start with a key frame
 * @param captions inside the video
 */
record MultivariantPlaylist(
        List<CodecConfig> tracks,
        long peakBps,
        long averageBps,
        double measuredFrameRate,
        boolean independentSegments,
        Captions captions) {
    private static final double MAX_PLAUSIBLE_FRAME_RATE = 240;

    MultivariantPlaylist {
        tracks = List.copyOf(tracks);
    }

    /**
     * A variant and the address of its media playlist.
     *
     * @param uri relative to the multivariant playlist
     */
    record Variant(MultivariantPlaylist media, String uri) {}

    /**
     * @param mediaUri of the one media playlist
     */
    String text(String mediaUri) {
        return text(List.of(new Variant(this, mediaUri)));
    }

    /**
     * The playlist of several variants. CLOSED-CAPTIONS=NONE is written for all of them or for none
     * (draft-pantos-hls-rfc8216bis-20, 4.4.6.2). SCORE is written where codecs differ: bit rates
     * then say little about quality (the same clause).
     *
     * @param variants at least one, the best first
     */
    static String text(List<Variant> variants) {
        return text(variants, AudioGroup.NONE);
    }

    /**
     * The same, with audio renditions.
     *
     * @param audio in every variant
     */
    static String text(List<Variant> variants, AudioGroup audio) {
        MultivariantPlaylist best = variants.getFirst().media();
        StringBuilder out = new StringBuilder(256 * variants.size());
        out.append("#EXTM3U\n#EXT-X-VERSION:7\n");
        if (best.independentSegments) {
            out.append("#EXT-X-INDEPENDENT-SEGMENTS\n");
        }
        boolean sameCaptions = true;
        boolean sameCodec = true;
        for (Variant variant : variants) {
            sameCaptions &= variant.media().captions == best.captions;
            sameCodec &= variant.media().sampleEntry().equals(best.sampleEntry());
        }
        Captions shown = captions(variants);
        out.append(shown.rendition()).append(audio.lines());
        int score = variants.size();
        for (Variant variant : variants) {
            variant.media().streamInf(out, audio);
            if (sameCaptions || variant.media().captions == Captions.IN_VIDEO) {
                out.append(variant.media().captions.attribute());
            }
            if (!sameCodec) {
                out.append(",SCORE=").append(score--);
            }
            out.append('\n').append(variant.uri()).append('\n');
        }
        return out.toString();
    }

    private static Captions captions(List<Variant> variants) {
        return variants.stream()
                .map(variant -> variant.media().captions)
                .filter(captions -> captions == Captions.IN_VIDEO)
                .findFirst()
                .orElse(variants.getFirst().media().captions);
    }

    private void streamInf(StringBuilder out, AudioGroup audio) {
        out.append("#EXT-X-STREAM-INF:BANDWIDTH=")
                .append(peakBps + audio.peakBps())
                .append(",AVERAGE-BANDWIDTH=")
                .append(averageBps + audio.averageBps())
                .append(",CODECS=\"")
                .append(codecs(audio.with(tracks)))
                .append('"');
        format().ifPresent(v -> video(out, v));
        out.append(audio.attribute());
    }

    /** The CODECS attribute, without its quotes. */
    String codecs() {
        return codecs(tracks);
    }

    /** Of the audio; empty without any. */
    Optional<CodecConfig> audio() {
        return tracks.stream().filter(track -> !track.isVideo()).findFirst();
    }

    private static String codecs(List<CodecConfig> tracks) {
        StringJoiner codecs = new StringJoiner(",");
        for (CodecConfig track : tracks) {
            codecs.add(track.rfc6381());
        }
        return codecs.toString();
    }

    /** Of the video; empty without any. */
    Optional<VideoFormat> format() {
        return tracks.stream().flatMap(track -> VideoFormat.of(track).stream()).findFirst();
    }

    /** Four characters that name the codec of the first track. */
    private String sampleEntry() {
        String first = tracks.getFirst().rfc6381();
        int dot = first.indexOf('.');
        return dot < 0 ? first : first.substring(0, dot);
    }

    private void video(StringBuilder out, VideoFormat format) {
        out.append(",RESOLUTION=").append(format.width()).append('x').append(format.height());
        frameRate(format)
                .ifPresent(
                        rate ->
                                out.append(",FRAME-RATE=")
                                        .append(String.format(Locale.ROOT, "%.3f", rate)));
    }

    private Optional<Double> frameRate(VideoFormat format) {
        double rate = format.frameRate() > 0 ? format.frameRate() : measuredFrameRate;
        return rate > 0 && rate <= MAX_PLAUSIBLE_FRAME_RATE ? Optional.of(rate) : Optional.empty();
    }
}
