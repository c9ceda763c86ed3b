package touchline.api.demo;

import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import touchline.media.AccessUnit;
import touchline.media.Timescale;
import touchline.media.Track;
import touchline.media.ffmpeg.AudioEncoder;
import touchline.media.ffmpeg.AudioSettings;
import touchline.media.ffmpeg.Colour;
import touchline.media.ffmpeg.FrameFormat;
import touchline.media.ffmpeg.FrameRate;
import touchline.media.ffmpeg.VideoEncoder;
import touchline.media.ffmpeg.VideoFrame;
import touchline.media.ffmpeg.VideoSettings;

/**
 * The match as access units: frame n is shown at n frames, the audio of second s begins at sample
 * {@code 48000 * s}, and both clocks start at 0 together. Units come out by decode time across the
 * tracks. One owner at a time, a platform thread.
 */
final class MatchEncoder implements AutoCloseable {
    private static final FrameFormat FORMAT =
            new FrameFormat(MatchPainter.WIDTH, MatchPainter.HEIGHT, Colour.BT709);

    // AAC gives a frame out when it has the next one: audio is made that much ahead.
    private static final int LOOK_AHEAD_SAMPLES = 3 * 1024;

    private static final long SEED = 1863;

    private static final int KEY_FRAME_SECONDS = 2;

    private final DemoMatch.Settings settings;
    private final FrameRate frameRate;
    private final InstantSource clock;
    private final AudioEncoder audio;
    private final VideoFrame videoFrame;
    private final MatchPlay play = new MatchPlay(SEED);
    private final MatchAudio audioSource = new MatchAudio(SEED);
    private final MatchPainter painter;
    private final Deque<AccessUnit> waitingAudio = new ArrayDeque<>();

    private VideoEncoder video;

    // Written by the owner, read by the pushing thread.
    private volatile List<Track> tracks;

    private long frame;
    private long nextKeyFrame;
    private long audioMade;
    private long drawNs;
    private long encodeNs;

    private MatchEncoder(
            DemoMatch.Settings settings,
            InstantSource clock,
            VideoEncoder video,
            AudioEncoder audio,
            VideoFrame videoFrame) {
        this.settings = settings;
        this.frameRate = settings.frameRate();
        this.clock = clock;
        this.video = video;
        this.audio = audio;
        this.videoFrame = videoFrame;
        this.tracks = List.of(video.track(), audio.track());
        this.painter = new MatchPainter(settings.home(), settings.away(), settings.zone());
    }

    static MatchEncoder open(DemoMatch.Settings settings, InstantSource clock) {
        VideoEncoder video = openVideo(settings, settings.frameRate());
        try {
            return open(settings, clock, video);
        } catch (RuntimeException e) {
            video.close();
            throw e;
        }
    }

    private static MatchEncoder open(
            DemoMatch.Settings settings, InstantSource clock, VideoEncoder video) {
        AudioSettings audioSettings =
                new AudioSettings(MatchAudio.RATE_HZ, MatchAudio.CHANNELS, 128_000);
        AudioEncoder audio = AudioEncoder.open(audioSettings);
        try {
            VideoFrame videoFrame = VideoFrame.allocate(FORMAT);
            return new MatchEncoder(settings, clock, video, audio, videoFrame);
        } catch (RuntimeException e) {
            audio.close();
            throw e;
        }
    }

    private static VideoEncoder openVideo(DemoMatch.Settings settings, FrameRate rate) {
        return VideoEncoder.open(
                VideoSettings.live(FORMAT, rate, settings.encoder())
                        .withBitrate(settings.videoBitrateBps()));
    }

    /** Video first. Any thread. */
    List<Track> tracks() {
        return tracks;
    }

    /**
     * From now on {@link #next} is called for every {@code divisor}th frame only. The video track
     * is another one afterwards.
     */
    void divideFrameRate(int divisor) {
        VideoEncoder slower =
                openVideo(
                        settings,
                        new FrameRate(frameRate.numerator(), frameRate.denominator() * divisor));
        video.close();
        video = slower;
        tracks = List.of(slower.track(), audio.track());
    }

    /** Draws and encodes the next frame, and the audio up to it. */
    List<AccessUnit> next(boolean forceKeyFrame) {
        List<AccessUnit> units = advance();
        long start = System.nanoTime();
        long seconds = (frame - 1) * frameRate.denominator() / frameRate.numerator();
        painter.paint(play, new MatchPainter.Clocks(seconds, clock.instant(), frame - 1));
        painter.copyTo(videoFrame.view());
        videoFrame.ptsTicks(frameRate.ticksOf(frame - 1));
        long drawn = System.nanoTime();
        // The encoder counts frames: after skipped ones its key frame would come too late.
        boolean isKeyFrame = forceKeyFrame || frame > nextKeyFrame;
        if (isKeyFrame) {
            nextKeyFrame =
                    frame - 1 + KEY_FRAME_SECONDS * frameRate.numerator() / frameRate.denominator();
        }
        List<AccessUnit> frames = video.encode(videoFrame, isKeyFrame);
        drawNs = drawn - start;
        encodeNs = System.nanoTime() - drawn;
        for (AccessUnit unit : frames) {
            takeAudioUntil(unit.dtsUs(), units);
            units.add(unit);
        }
        return units;
    }

    /** Time passes without a frame; audio has no gaps. */
    List<AccessUnit> skip() {
        List<AccessUnit> units = advance();
        takeAudioUntil(Timescale.VIDEO.toUs(frameRate.ticksOf(frame)), units);
        return units;
    }

    /** How long the last frame took to draw. */
    long drawNs() {
        return drawNs;
    }

    /** How long the last frame took to encode. */
    long encodeNs() {
        return encodeNs;
    }

    private List<AccessUnit> advance() {
        play.step((double) frameRate.denominator() / frameRate.numerator());
        frame++;
        long wanted =
                frame * MatchAudio.RATE_HZ * frameRate.denominator() / frameRate.numerator()
                        + LOOK_AHEAD_SAMPLES;
        waitingAudio.addAll(audio.encode(audioSource.next((int) (wanted - audioMade))));
        audioMade = wanted;
        return new ArrayList<>(4);
    }

    private void takeAudioUntil(long dtsUs, List<AccessUnit> units) {
        while (!waitingAudio.isEmpty() && waitingAudio.getFirst().dtsUs() <= dtsUs) {
            units.add(waitingAudio.removeFirst());
        }
    }

    @Override
    public void close() {
        videoFrame.close();
        audio.close();
        video.close();
    }
}
