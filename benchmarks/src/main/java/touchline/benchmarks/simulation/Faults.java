package touchline.benchmarks.simulation;

import java.util.function.Consumer;

/** What each fault does to the world, and its end. Stateless. */
final class Faults {
    private Faults() {}

    /**
     * @param atEnd takes what is to be done when the fault ends
     */
    static void begin(World world, Fault fault, Consumer<Runnable> atEnd) {
        switch (fault.kind()) {
            case KILL, LOSE_HOST -> {
                SimulatedNode node = world.nodes.get(fault.a());
                node.kill(fault.kind() == Fault.Kind.LOSE_HOST);
                atEnd.accept(node::start);
            }
            case PAUSE, FREEZE -> {
                SimulatedNode node = world.nodes.get(fault.a());
                node.process.pause(fault.kind() == Fault.Kind.FREEZE);
                atEnd.accept(node.process::resume);
            }
            case CUT -> {
                cut(world, fault.a(), fault.b(), atEnd);
                cut(world, fault.b(), fault.a(), atEnd);
            }
            case CUT_ONE_WAY -> cut(world, fault.a(), fault.b(), atEnd);
            case ISOLATE -> {
                for (int other = 0; other <= world.nodes.size(); other++) {
                    if (other != fault.a()) {
                        cut(world, fault.a(), other, atEnd);
                        cut(world, other, fault.a(), atEnd);
                    }
                }
            }
            case DATABASE_DOWN -> {
                world.database.crash();
                atEnd.accept(world.database::restart);
            }
            case DATABASE_STOPPED -> {
                world.database.stop();
                atEnd.accept(world.database::goOn);
            }
            case ENCODER_DROP -> world.encoders.get(fault.a()).drop();
            case ENCODER_AWAY -> {
                SimulatedEncoder encoder = world.encoders.get(fault.a());
                encoder.stop();
                atEnd.accept(encoder::start);
            }
            case SECOND_ENCODER -> {
                SimulatedEncoder second =
                        new SimulatedEncoder(
                                world, World.stream(fault.a()), "second-" + fault.atMs());
                second.start();
                atEnd.accept(second::stop);
            }
            case DRAIN -> {
                SimulatedNode node = world.nodes.get(fault.a());
                node.drain(true);
                atEnd.accept(() -> node.drain(false));
            }
        }
    }

    private static void cut(World world, int from, int to, Consumer<Runnable> atEnd) {
        world.network.cut(from, to);
        atEnd.accept(() -> world.network.mend(from, to));
    }
}
