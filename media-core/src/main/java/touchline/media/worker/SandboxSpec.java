package touchline.media.worker;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What a sandboxed process may use, as arguments of {@link SandboxMain}. Immutable.
 *
 * @param confinement how files are confined
 * @param user numeric user and group of the process; 0 keeps the server's
 * @param folder job folder, read and written; the current directory
 * @param mountPoint empty folder outside of the job folder
 * @param libraries native libraries
 * @param readable files and folders
 * @param writable more folders that are read and written
 * @param devices device files
 */
record SandboxSpec(
        WorkerSandbox.Confinement confinement,
        Ids user,
        Path folder,
        Path mountPoint,
        Libraries libraries,
        List<Path> readable,
        List<Path> writable,
        List<Path> devices) {
    private static final String END = "--";

    /**
     * @param user 0: the server's
     * @param group 0: the server's
     */
    record Ids(int user, int group) {
        static final Ids OF_SERVER = new Ids(0, 0);

        boolean isOwn() {
            return user != 0;
        }
    }

    /**
     * @param folder given to the process
     * @param unpacked the server's
     */
    record Libraries(Path folder, Path unpacked) {}

    SandboxSpec {
        readable = List.copyOf(readable);
        writable = List.copyOf(writable);
        devices = List.copyOf(devices);
    }

    /** Returns the arguments that {@link #parse} reads, up to the command. */
    List<String> arguments() {
        List<String> arguments = new ArrayList<>();
        arguments.add("confinement=" + confinement);
        arguments.add("user=" + user.user());
        arguments.add("group=" + user.group());
        arguments.add("folder=" + folder);
        arguments.add("mount=" + mountPoint);
        arguments.add("libraries=" + libraries.folder());
        arguments.add("unpacked=" + libraries.unpacked());
        readable.forEach(each -> arguments.add("read=" + each));
        writable.forEach(each -> arguments.add("write=" + each));
        devices.forEach(each -> arguments.add("device=" + each));
        arguments.add(END);
        return arguments;
    }

    /** The index of the command in the arguments. */
    static int commandIndex(List<String> arguments) {
        return arguments.indexOf(END) + 1;
    }

    static SandboxSpec parse(List<String> arguments) {
        List<String> all = arguments.subList(0, arguments.indexOf(END));
        return new SandboxSpec(
                WorkerSandbox.Confinement.valueOf(values(all, "confinement").getFirst()),
                new Ids(
                        Integer.parseInt(values(all, "user").getFirst()),
                        Integer.parseInt(values(all, "group").getFirst())),
                Path.of(values(all, "folder").getFirst()),
                Path.of(values(all, "mount").getFirst()),
                new Libraries(
                        Path.of(values(all, "libraries").getFirst()),
                        Path.of(values(all, "unpacked").getFirst())),
                paths(all, "read"),
                paths(all, "write"),
                paths(all, "device"));
    }

    private static List<Path> paths(List<String> arguments, String key) {
        List<Path> paths = new ArrayList<>();
        for (String value : values(arguments, key)) {
            paths.add(Path.of(value));
        }
        return paths;
    }

    private static List<String> values(List<String> arguments, String key) {
        String start = key + "=";
        List<String> values = new ArrayList<>();
        for (String each : arguments) {
            if (each.startsWith(start)) {
                values.add(each.substring(start.length()));
            }
        }
        return values;
    }
}
