package touchline.media.ffmpeg;

import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.bytedeco.ffmpeg.avcodec.AVPacket;
import org.bytedeco.ffmpeg.avcodec.AVPacketSideData;
import org.bytedeco.ffmpeg.avformat.AVFormatContext;
import org.bytedeco.ffmpeg.avformat.AVIOContext;
import org.bytedeco.ffmpeg.avformat.AVStream;
import org.bytedeco.ffmpeg.avutil.AVDictionary;
import org.bytedeco.ffmpeg.avutil.AVRational;
import org.bytedeco.ffmpeg.global.avcodec;
import org.bytedeco.ffmpeg.global.avformat;
import org.bytedeco.ffmpeg.global.avutil;
import org.bytedeco.javacpp.IntPointer;
import org.bytedeco.javacpp.Pointer;
import org.bytedeco.javacpp.PointerPointer;
import touchline.media.AccessUnit;
import touchline.media.CodecConfig;
import touchline.media.Track;

/** Encodes short pieces of media, and stores them as MP4. */
public final class TestMedia {
    private TestMedia() {}

    /** The software encoder of this build: same output on every machine. */
    public static H264Encoder encoder() {
        return Ffmpeg.encoders().canUse(H264Encoder.X264) ? H264Encoder.X264 : H264Encoder.OPENH264;
    }

    public static List<AccessUnit> video(VideoSettings settings, int videoFrames) {
        List<AccessUnit> units = new ArrayList<>();
        try (VideoEncoder encoder = VideoEncoder.open(settings);
                VideoFrame frame = VideoFrame.allocate(settings.format())) {
            for (int i = 0; i < videoFrames; i++) {
                TestFrames.draw(frame, i);
                frame.ptsTicks(settings.frameRate().ticksOf(i));
                units.addAll(encoder.encode(frame, /* forceKeyFrame= */ false));
            }
            units.addAll(encoder.finish());
        }
        return units;
    }

    /** The same unit with a NAL unit that is cut off. */
    public static AccessUnit broken(AccessUnit unit) {
        return new AccessUnit(
                unit.track(),
                unit.dtsTicks(),
                unit.compositionTimeOffsetTicks(),
                unit.idr(),
                MemorySegment.ofArray(new byte[] {0, 0, 0, 40, 1}));
    }

    /** One tone for each channel, at half of full level. */
    public static Pcm tones(int sampleRateHz, int frames, double... frequenciesHz) {
        float[] samples = new float[frames * frequenciesHz.length];
        for (int i = 0; i < frames; i++) {
            for (int channel = 0; channel < frequenciesHz.length; channel++) {
                double phase = 2 * Math.PI * frequenciesHz[channel] * i / sampleRateHz;
                samples[i * frequenciesHz.length + channel] = (float) (0.5 * Math.sin(phase));
            }
        }
        return Pcm.of(sampleRateHz, frequenciesHz.length, 0, samples);
    }

    public static List<AccessUnit> audio(AudioSettings settings, Pcm pcm) {
        List<AccessUnit> units = new ArrayList<>();
        try (AudioEncoder encoder = AudioEncoder.open(settings)) {
            units.addAll(encoder.encode(pcm));
            units.addAll(encoder.finish());
        }
        return units;
    }

    public static void writeMp4(Path file, List<AccessUnit> units, int rotationDegrees) {
        Ffmpeg.load();
        AVFormatContext context = new AVFormatContext(null);
        Ffmpeg.check(avformat.avformat_alloc_output_context2(context, null, "mp4", null), "alloc");
        List<Track> tracks = units.stream().map(AccessUnit::track).distinct().toList();
        tracks.forEach(track -> addStream(context, track, rotationDegrees));
        AVIOContext io = new AVIOContext(null);
        Ffmpeg.check(
                avformat.avio_open2(
                        io, file.toString(), avformat.AVIO_FLAG_WRITE, null, (AVDictionary) null),
                "avio_open2");
        context.pb(io);
        Ffmpeg.check(avformat.avformat_write_header(context, (AVDictionary) null), "header");
        List<AccessUnit> inOrder = new ArrayList<>(units);
        inOrder.sort(Comparator.comparingLong(AccessUnit::dtsUs));
        AVPacket packet = avcodec.av_packet_alloc();
        for (AccessUnit unit : inOrder) {
            int index = tracks.indexOf(unit.track());
            NativeMemory.fill(packet, unit.payload());
            packet.stream_index(index).dts(unit.dtsTicks()).pts(unit.ptsTicks());
            packet.flags(unit.idr() ? avcodec.AV_PKT_FLAG_KEY : 0);
            packet.duration(unit.track().isVideo() ? 3_600 : 1_024);
            AVRational from = new AVRational();
            from.num(1).den(unit.track().timescale().ticksPerSecond());
            avcodec.av_packet_rescale_ts(packet, from, context.streams(index).time_base());
            Ffmpeg.check(avformat.av_interleaved_write_frame(context, packet), "write");
        }
        Ffmpeg.check(avformat.av_write_trailer(context), "trailer");
        avcodec.av_packet_free(packet);
        avformat.avio_close(io);
        avformat.avformat_free_context(context);
    }

    private static void addStream(AVFormatContext context, Track track, int rotationDegrees) {
        AVStream stream = avformat.avformat_new_stream(context, null);
        switch (track.codec()) {
            case CodecConfig.Avc(var config) -> {
                stream.codecpar().codec_type(avutil.AVMEDIA_TYPE_VIDEO);
                stream.codecpar().codec_id(avcodec.AV_CODEC_ID_H264);
                // The size comes from the test, independent of the configuration's parser.
                stream.codecpar().width(320).height(240);
                NativeMemory.setExtradata(stream.codecpar(), config.bytes());
                if (rotationDegrees != 0) {
                    rotate(stream, rotationDegrees);
                }
            }
            case CodecConfig.Aac(var config) -> {
                stream.codecpar().codec_type(avutil.AVMEDIA_TYPE_AUDIO);
                stream.codecpar().codec_id(avcodec.AV_CODEC_ID_AAC);
                stream.codecpar().sample_rate(track.timescale().ticksPerSecond());
                avutil.av_channel_layout_default(stream.codecpar().ch_layout(), 2);
                NativeMemory.setExtradata(stream.codecpar(), config.bytes());
            }
            default -> throw new IllegalArgumentException(track.toString());
        }
    }

    private static void rotate(AVStream stream, int degrees) {
        try (PointerPointer<AVPacketSideData> array = new PointerPointer<>(1)) {
            array.put(0, (Pointer) null);
            AVPacketSideData data =
                    avcodec.av_packet_side_data_new(
                            array,
                            new IntPointer(new int[] {0}),
                            avcodec.AV_PKT_DATA_DISPLAYMATRIX,
                            36,
                            0);
            avutil.av_display_rotation_set(new IntPointer(data.data()), degrees);
            stream.codecpar().coded_side_data(array.get(AVPacketSideData.class, 0));
            stream.codecpar().nb_coded_side_data(1);
        }
    }
}
