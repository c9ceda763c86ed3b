package touchline.media.transcode;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import touchline.media.ffmpeg.FrameFormat;
import touchline.media.file.SourceAudio;
import touchline.media.file.SourceVideo;
import touchline.media.file.UnsupportedMediaException;
import touchline.media.rendition.Ladder;
import touchline.media.rendition.RenditionFormat;

/**
 * The processing of a file's streams: an unchanged stream is copied. Immutable, any thread.
 *
 * @param video empty if the file has no video
 * @param audio empty if the file has no audio
 * @param notes changes visible or audible to a viewer
 */
public record TranscodePlan(Optional<Video> video, Optional<Audio> audio, List<String> notes) {
    private static final double FULL_HD_PIXELS = 1_920.0 * 1_080;
    private static final double FULL_HD_BPS = 5_000_000;

    /** A quarter of the frame size needs more than a quarter of the bits. */
    private static final double SIZE_EXPONENT = 0.75;

    private static final double MANY_FRAMES_PER_SECOND = 40;
    private static final int BPS_PER_CHANNEL = 64_000;
    private static final int USUAL_SAMPLE_RATE_HZ = 48_000;
    private static final Set<Integer> KEPT_SAMPLE_RATES_HZ =
            Set.of(16_000, 22_050, 24_000, 32_000, 44_100, 48_000);

    /** The AAC rates in FLV that all players support. */
    private static final Set<Integer> FLV_SAMPLE_RATES_HZ = Set.of(22_050, 44_100, 48_000);

    public TranscodePlan {
        notes = List.copyOf(notes);
    }

    /** Processing of the video. */
    sealed interface Video {
        SourceVideo source();

        /** Nothing changes. */
        record Copy(SourceVideo source) implements Video {}

        /**
         * @param renditions largest first
         */
        record Encode(SourceVideo source, List<RenditionSettings> renditions) implements Video {
            public Encode {
                renditions = List.copyOf(renditions);
            }
        }

        /**
         * The source unchanged, and smaller sizes with key frames at the same times.
         *
         * @param smaller largest first, not empty
         */
        record CopyAndEncode(SourceVideo source, List<RenditionSettings> smaller) implements Video {
            public CopyAndEncode {
                smaller = List.copyOf(smaller);
            }
        }
    }

    /**
     * One size of the video.
     *
     * @param bitrateBps target if {@code constantQuality} is false, else an upper bound
     */
    record RenditionSettings(int width, int height, int bitrateBps, boolean constantQuality) {}

    /** Processing of the audio. */
    sealed interface Audio {
        SourceAudio source();

        /** Nothing changes. */
        record Copy(SourceAudio source) implements Audio {}

        record Encode(SourceAudio source, int sampleRateHz, int channels, int bitrateBps)
                implements Audio {}
    }

    boolean copiesAll() {
        return video.map(Video.Copy.class::isInstance).orElse(true)
                && audio.map(Audio.Copy.class::isInstance).orElse(true);
    }

    /** Whether sizes that are encoded must begin their segments where a copied one does. */
    boolean followsCopy() {
        return video.map(Video.CopyAndEncode.class::isInstance).orElse(false);
    }

    /**
     * @param mayCopy false after a copy proved impossible
     */
    static TranscodePlan of(
            Optional<SourceVideo> video,
            Optional<SourceAudio> audio,
            TranscodeRequest request,
            boolean mayCopy) {
        List<String> notes = new ArrayList<>();
        Optional<Video> frames = video.map(source -> video(source, request, mayCopy, notes));
        Optional<Audio> audioPlan = audio.map(source -> audio(source, request, mayCopy, notes));
        if (video.isEmpty()) {
            notes.add("the input has no video");
        }
        if (audio.isEmpty()) {
            notes.add("the input has no audio");
        }
        return new TranscodePlan(frames, audioPlan, notes);
    }

    private static Video video(
            SourceVideo source, TranscodeRequest request, boolean mayCopy, List<String> notes) {
        boolean sameHeight =
                request.heights().isEmpty()
                        || request.heights().equals(List.of(source.shownHeight()));
        boolean asItIs =
                source.codec().equals("h264")
                        && source.plain()
                        && source.upright()
                        && source.squareSamples()
                        && !source.interlaced()
                        && source.transfer() == SourceVideo.Transfer.SDR;
        boolean copies = mayCopy && asItIs && sameHeight && request.videoBitrateBps().isEmpty();
        List<RenditionSettings> smaller =
                request.renditions() ? smaller(source, request, notes) : List.of();
        if (copies) {
            return smaller.isEmpty()
                    ? new Video.Copy(source)
                    : new Video.CopyAndEncode(source, smaller);
        }
        describe(source, notes);
        List<Integer> heights =
                request.heights().isEmpty()
                        ? List.of(even(source.shownHeight()))
                        : request.heights();
        List<RenditionSettings> renditions = new ArrayList<>(heights.size());
        int tallest = heights.stream().max(Comparator.naturalOrder()).orElseThrow();
        heights.stream()
                .distinct()
                .sorted(Comparator.reverseOrder())
                .map(height -> settings(source, height, tallest, request))
                .forEach(renditions::add);
        renditions.addAll(smaller);
        return new Video.Encode(source, renditions);
    }

    /** The renditions of a live stream with this source. */
    private static List<RenditionSettings> smaller(
            SourceVideo source, TranscodeRequest request, List<String> notes) {
        int sourceHeight = even(source.shownHeight());
        Ladder ladder =
                Ladder.of(
                        touchline.media.rendition.RenditionSettings.AUTO,
                        new Ladder.Source(
                                source.shownWidth(),
                                source.shownHeight(),
                                source.frameRate().perSecond()));
        if (ladder.renditions().isEmpty()) {
            notes.add("the input is too small for renditions below it");
        }
        List<RenditionSettings> smaller = new ArrayList<>();
        for (RenditionFormat each : ladder.renditions()) {
            int bps =
                    request.videoBitrateBps().isPresent()
                            ? share(
                                    request.videoBitrateBps().getAsInt(),
                                    each.height(),
                                    sourceHeight)
                            : each.bitrateBps();
            smaller.add(
                    new RenditionSettings(
                            each.width(), each.height(), bps, /* constantQuality= */ false));
        }
        return smaller;
    }

    /** Of the bit rate of the tallest size. */
    private static int share(int bitrateBps, int height, int tallest) {
        double share = Math.pow((double) height / tallest, 2 * SIZE_EXPONENT);
        return (int) Math.round(bitrateBps * share);
    }

    private static void describe(SourceVideo source, List<String> notes) {
        if (source.transfer() != SourceVideo.Transfer.SDR) {
            notes.add("HDR (" + source.transfer() + ") was tone-mapped to SDR (BT.709)");
        }
        if (!source.upright()) {
            notes.add("the rotation of " + source.rotationDegrees() + " degrees was applied");
        }
        if (source.interlaced()) {
            notes.add("interlaced frames were made progressive");
        }
        if (!source.squareSamples()) {
            notes.add("frames were brought to square pixels");
        }
    }

    private static RenditionSettings settings(
            SourceVideo source, int height, int tallest, TranscodeRequest request) {
        double aspect = (double) source.shownWidth() / source.shownHeight();
        int width = Math.max(16, even((int) Math.round(height * aspect / 2) * 2));
        if (width > FrameFormat.MAX_SIDE) {
            throw new UnsupportedMediaException(
                    "frames of %dx%d (expected: at most %d wide)"
                            .formatted(width, height, FrameFormat.MAX_SIDE));
        }
        double pixels = (double) width * height;
        if (request.videoBitrateBps().isPresent()) {
            int bps = share(request.videoBitrateBps().getAsInt(), height, tallest);
            return new RenditionSettings(width, height, bps, /* constantQuality= */ false);
        }
        double bps = FULL_HD_BPS * Math.pow(pixels / FULL_HD_PIXELS, SIZE_EXPONENT);
        if (source.frameRate().perSecond() > MANY_FRAMES_PER_SECOND) {
            bps *= 1.5;
        }
        int bounded =
                Math.clamp(
                        Math.round(bps),
                        TranscodeRequest.MIN_VIDEO_BPS,
                        TranscodeRequest.MAX_VIDEO_BPS);
        return new RenditionSettings(width, height, bounded, /* constantQuality= */ true);
    }

    private static Audio audio(
            SourceAudio source, TranscodeRequest request, boolean mayCopy, List<String> notes) {
        Set<Integer> rates =
                request.format() == FileFormat.FLV ? FLV_SAMPLE_RATES_HZ : KEPT_SAMPLE_RATES_HZ;
        boolean keptRate = rates.contains(source.sampleRateHz());
        if (mayCopy
                && source.lowComplexity()
                && source.channels() <= 2
                && keptRate
                && request.audioBitrateBps().isEmpty()) {
            return new Audio.Copy(source);
        }
        if (source.channels() > 2) {
            notes.add(source.channels() + " channels of audio were mixed to stereo");
        }
        int channels = Math.clamp(source.channels(), 1, 2);
        return new Audio.Encode(
                source,
                keptRate ? source.sampleRateHz() : USUAL_SAMPLE_RATE_HZ,
                channels,
                request.audioBitrateBps().orElse(BPS_PER_CHANNEL * channels));
    }

    /** Returns the next lower even size, at least 16: H.264 in 4:2:0 has no odd sizes. */
    private static int even(int value) {
        return Math.max(16, value - value % 2);
    }
}
