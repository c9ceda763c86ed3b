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
import touchline.media.ffmpeg.FrameRate;
import touchline.media.ffmpeg.Picture;
import touchline.media.ffmpeg.PictureFormat;
import touchline.media.ffmpeg.VideoEncoder;
import touchline.media.ffmpeg.VideoSettings;

/**
 * The match as access units: picture n is shown at n frames, the sound of second s begins at sample
 * {@code 48000 * s}, and both clocks start at 0 together. Units come out by decode time across the
 * tracks. One owner at a time, a platform thread.
 */
final class MatchEncoder implements AutoCloseable {
    // AAC gives a frame out when it has the next one: sound is made that much ahead.
    private static final int LOOK_AHEAD_SAMPLES = 3 * 1024;

    private static final long SEED = 1863;

    private final FrameRate frameRate;
    private final InstantSource clock;
    private final VideoEncoder video;
    private final AudioEncoder audio;
    private final Picture picture;
    private final MatchPlay play = new MatchPlay(SEED);
    private final MatchSound sound = new MatchSound(SEED);
    private final MatchPainter painter;
    private final Deque<AccessUnit> waitingSound = new ArrayDeque<>();

    private long frame;
    private long soundMade;
    private long drawNs;
    private long encodeNs;

    private MatchEncoder(
            DemoMatch.Settings settings,
            InstantSource clock,
            VideoEncoder video,
            AudioEncoder audio,
            Picture picture) {
        this.frameRate = settings.frameRate();
        this.clock = clock;
        this.video = video;
        this.audio = audio;
        this.picture = picture;
        this.painter = new MatchPainter(settings.home(), settings.away(), settings.zone());
    }

    static MatchEncoder open(DemoMatch.Settings settings, InstantSource clock) {
        PictureFormat format =
                new PictureFormat(MatchPainter.WIDTH, MatchPainter.HEIGHT, Colour.BT709);
        VideoSettings videoSettings =
                VideoSettings.live(format, settings.frameRate(), settings.encoder())
                        .withBitrate(settings.videoBitrateBps());
        VideoEncoder video = VideoEncoder.open(videoSettings);
        try {
            return open(settings, clock, video, format);
        } catch (RuntimeException e) {
            video.close();
            throw e;
        }
    }

    private static MatchEncoder open(
            DemoMatch.Settings settings,
            InstantSource clock,
            VideoEncoder video,
            PictureFormat format) {
        AudioSettings audioSettings =
                new AudioSettings(MatchSound.RATE_HZ, MatchSound.CHANNELS, 128_000);
        AudioEncoder audio = AudioEncoder.open(audioSettings);
        try {
            Picture picture = Picture.allocate(format);
            return new MatchEncoder(settings, clock, video, audio, picture);
        } catch (RuntimeException e) {
            audio.close();
            throw e;
        }
    }

    /** Video first. */
    List<Track> tracks() {
        return List.of(video.track(), audio.track());
    }

    /** Draws and encodes the next picture, and the sound up to it. */
    List<AccessUnit> next(boolean forceKeyFrame) {
        List<AccessUnit> units = advance();
        long start = System.nanoTime();
        long seconds = (frame - 1) * frameRate.denominator() / frameRate.numerator();
        painter.paint(play, new MatchPainter.Clocks(seconds, clock.instant(), frame - 1));
        painter.copyTo(picture.view());
        picture.ptsTicks(frameRate.ticksOf(frame - 1));
        long drawn = System.nanoTime();
        List<AccessUnit> pictures = video.encode(picture, forceKeyFrame);
        drawNs = drawn - start;
        encodeNs = System.nanoTime() - drawn;
        for (AccessUnit unit : pictures) {
            takeSoundUntil(unit.dtsUs(), units);
            units.add(unit);
        }
        return units;
    }

    /** Time passes without a picture; sound has no gaps. */
    List<AccessUnit> skip() {
        List<AccessUnit> units = advance();
        takeSoundUntil(Timescale.VIDEO.toUs(frameRate.ticksOf(frame)), units);
        return units;
    }

    /** How long the last picture took to draw. */
    long drawNs() {
        return drawNs;
    }

    /** How long the last picture took to encode. */
    long encodeNs() {
        return encodeNs;
    }

    private List<AccessUnit> advance() {
        play.step((double) frameRate.denominator() / frameRate.numerator());
        frame++;
        long wanted =
                frame * MatchSound.RATE_HZ * frameRate.denominator() / frameRate.numerator()
                        + LOOK_AHEAD_SAMPLES;
        waitingSound.addAll(audio.encode(sound.next((int) (wanted - soundMade))));
        soundMade = wanted;
        return new ArrayList<>(4);
    }

    private void takeSoundUntil(long dtsUs, List<AccessUnit> units) {
        while (!waitingSound.isEmpty() && waitingSound.getFirst().dtsUs() <= dtsUs) {
            units.add(waitingSound.removeFirst());
        }
    }

    @Override
    public void close() {
        picture.close();
        audio.close();
        video.close();
    }
}
